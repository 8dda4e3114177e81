import { t } from '../../../language/translate.ts'
import { trunkOf } from '../../../scenario/edit/branches.ts'
import { askDraftOf } from '../../explain/ask/askDraft.ts'
import { ask } from '../../explain/ask/askStore.ts'
import { expectDigest } from '../../explain/replay/replayStore.ts'
import { chooseEngine, openScenario, runStore } from '../../session/run/runStore.ts'
import { keepUnreadableLink, leaveForReload, leftForReload, storedDraft, storedEngine } from '../../session/scenario/savedCanvas.ts'
import { bringBack, type CanvasStep, editOrRefuse, presentStep, refuse, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { part, type Session } from '../../session/session.ts'

/** Browsers refuse, drop or count addresses that change too often. */
const LEAST_MS = 1000

/** The fragment that the address has, and of which scenario and branch: where a link says how the page opens, it does as long as nothing is edited. */
let written: { readonly hash: string; readonly whole: CanvasStep['whole'] | null; readonly shown: number | null } = { hash: '', whole: null, shown: null }
interface Own {
  /** The fragment that was read or written last: where the address has another, a link was followed and is yet to be read, and nothing is written over it. */
  met: string
  /** While an address is read, what it opens is no page to turn to. */
  reading: boolean
  restored: boolean
}

const own = part(
  (): Own => ({
    met: '',
    reading: false,
    restored: false,
  }),
)

/**
 * The address carries the scenario. Reads it at the start and whenever it changes, and keeps it up with the canvas, at most once a
 * second and never under a hand that drags. Another scenario that is opened is an entry of the history more, so that Back leads to
 * the one before. A link that cannot be read leaves everything as it is. What reads and writes links is fetched with the first.
 */
export function followAddress(session: Session): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  let before = ''
  let held = false
  let newest = scenarioStore(session).getState().opened
  const later = () => {
    timer ??= setTimeout(() => void replace(), Math.max(300, LEAST_MS - (performance.now() - last)))
  }
  const replace = async () => {
    if (held) {
      timer = undefined
      return later()
    }
    // What is edited while the speller comes is written with the rest: no second time is set for it.
    const fragmentOf = await speller().finally(() => {
      timer = undefined
    })
    if (saysOf(presentStep(session)) || location.hash !== own(session).met) return
    before = location.hash
    write(session, fragmentOf, 'replaceState')
    last = performance.now()
  }
  const turn = async (before: CanvasStep) => {
    const fragmentOf = await speller()
    if (location.hash !== own(session).met) return
    // The entry that is left says what was there at last.
    if (!saysOf(before)) history.replaceState(history.state, '', fragmentOf(before))
    write(session, fragmentOf, 'pushState')
    last = performance.now()
  }
  const changed = () => {
    if (location.hash === written.hash) own(session).met = location.hash
    else void read(session, false)
  }
  // A reload that has begun goes to the address that was there then, though another has been written since. What stands on the canvas
  // while a link is yet to be read is none of its.
  const leave = () => {
    if (location.hash !== own(session).met) return
    leaveForReload(session, performance.now() - last < LEAST_MS ? [location.hash, before] : [location.hash], runStore(session).getState().engine)
  }
  const press = () => {
    held = true
  }
  const release = () => {
    held = false
  }
  chooseEngine(session, storedEngine())
  if (location.hash === '') restore(session)
  else void read(session, true)
  const end = scenarioStore(session).subscribe((state, before) => {
    const opened = state.opened > newest
    newest = Math.max(newest, state.opened)
    if (opened && !own(session).reading) void turn(before)
    else if (state.whole !== before.whole || state.shown !== before.shown) later()
  })
  addEventListener('hashchange', changed)
  addEventListener('pagehide', leave)
  addEventListener('pointerdown', press, true)
  addEventListener('pointerup', release, true)
  addEventListener('pointercancel', release, true)
  return () => {
    clearTimeout(timer)
    removeEventListener('hashchange', changed)
    removeEventListener('pagehide', leave)
    removeEventListener('pointerdown', press, true)
    removeEventListener('pointerup', release, true)
    removeEventListener('pointercancel', release, true)
    end()
  }
}

async function speller(): Promise<(step: CanvasStep) => string> {
  const { toShortFragment } = await import('../../../scenario/link/codec.ts')
  return ({ whole, shown }) => toShortFragment(whole, { branch: shown })
}

function saysOf({ whole, shown }: CanvasStep): boolean {
  return written.whole === whole && written.shown === shown
}

function write(session: Session, fragmentOf: (step: CanvasStep) => string, how: 'pushState' | 'replaceState'): void {
  const { whole, shown } = presentStep(session)
  written = { hash: fragmentOf(presentStep(session)), whole, shown }
  history[how](how === 'replaceState' ? history.state : null, '', written.hash)
  own(session).met = location.hash
}

/** Opens what the address says; of a page that was just loaded, as it was left. */
async function read(session: Session, loaded: boolean): Promise<void> {
  const { hash } = location
  const { readFragment } = await import('../../../scenario/link/codec.ts')
  if (location.hash !== hash) return
  const fragment = readFragment(hash)
  const left = loaded ? leftForReload(hash) : null
  const view = fragment.found === 'scenario' ? { ...fragment.opening, ...(left !== null && { branch: left.branch }) } : null
  const viewing = Object.values(view ?? {}).some((value) => value !== null) ? await import('./openView.ts') : null
  if (location.hash !== hash) return
  own(session).met = hash
  if (fragment.found === 'nothing') return restore(session)
  if (fragment.found === 'problems') {
    restore(session)
    keepUnreadableLink(session, location.href)
    return refuse(session, [...fragment.problems, { path: '', message: t('The link is kept: More, Download unreadable link.') }])
  }
  written = { hash, whole: null, shown: null }
  if (fragment.found === 'question') {
    restore(session)
    return ask(session, askDraftOf(fragment.question))
  }
  const { scenario, opening, problems } = fragment
  // A link that is refused later finds this on the canvas, and not what an earlier visit left.
  own(session).restored = true
  own(session).reading = true
  // Only a simulation can be held against a digest.
  openScenario(session, scenario, opening.run ?? left?.engine ?? (opening.digest === null ? undefined : 'simulation'))
  own(session).reading = false
  written = { hash, whole: presentStep(session).whole, shown: opening.branch }
  // What had faults goes back on the canvas with them; what can be played is what the address says.
  if (left !== null) editOrRefuse(session, () => left.draft)
  expectDigest(session, trunkOf(scenario), opening.digest)
  if (problems.length > 0) refuse(session, problems, true)
  if (view !== null) await viewing?.openView(session, view)
}

/** What was on the canvas at the last visit, once: at the first reading of the address. */
function restore(session: Session): void {
  if (own(session).restored) return
  own(session).restored = true
  // A page that was left before its address was written comes back with the engine it had.
  const engine = leftForReload(location.hash)?.engine ?? null
  if (engine !== null) runStore(session).setState({ engine })
  const stored = storedDraft()
  if (stored === null) return
  if ('scenario' in stored) bringBack(session, stored)
  else
    refuse(session, [
      { path: '', message: t('What this browser had kept of your last visit cannot be read. It is set aside: More, Download unreadable text.') },
    ])
}
