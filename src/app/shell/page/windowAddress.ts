import type { Address } from '../../session/address.ts'

/** Returns the address of this window. It listens as long as the window is there. */
export function windowAddress(): Address {
  let pressed = false
  addEventListener('pointerdown', () => (pressed = true), true)
  for (const release of ['pointerup', 'pointercancel']) addEventListener(release, () => (pressed = false), true)
  return {
    read: () => new URL(location.href),
    write: (to, how) => (how === 'push' ? history.pushState(null, '', to) : history.replaceState(history.state, '', to)),
    onChange: (hear) => listen('hashchange', hear),
    onLeave: (hear) => listen('pagehide', hear),
    pressed: () => pressed,
  }
}

function listen(event: string, hear: () => void): () => void {
  addEventListener(event, hear)
  return () => removeEventListener(event, hear)
}
