import { useSyncExternalStore } from 'react'

const query = () => matchMedia('(max-width: 820px)')

function subscribe(changed: () => void): () => void {
  const asked = query()
  asked.addEventListener('change', changed)
  return () => asked.removeEventListener('change', changed)
}

/** Returns whether the page is one column, as on a phone; false in a prerendered page. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => query().matches,
    () => false,
  )
}
