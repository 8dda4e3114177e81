import { t } from '../../../language/translate.ts'
import { frontPreset } from '../../../scenario/presets/preset.ts'
import { chooseEngine } from '../../session/run/opening.ts'
import { runStore } from '../../session/run/runStore.ts'
import { runAfter } from '../../session/run/startStop.ts'
import { leaveForReload, leftForReload, storedDraft, storedEngine } from '../../session/scenario/savedCanvas.ts'
import {
  type CanvasStep,
  presentStep,
  restoreDraft,
  scenarioStore,
  showProblems,
} from '../../session/scenario/scenarioStore.ts'
import { part, type Session } from '../../session/session.ts'
import { arrive, followFront, onFront, pushEntry } from './backSteps.ts'
import type { AddressState } from './openLink.ts'

/** Browsers refuse, drop or count addresses that change too often. */
const MIN_MS = 1000
/** A page lives for up to this long after its reload has begun: the answer of the host may be slow. */
const RELOAD_MS = 30_000

const addressState = part(
  (): AddressState => ({
    written: { hash: '', whole: null, shown: null },
    met: '',
    reading: false,
    restored: false,
    over: false,
  }),
)

/**
 * Keeps the scenario in the address. Reads the address at the start and whenever it changes, and writes it at most once a second and
 * never during a drag. A scenario that is opened adds an entry to the history, so that Back leads to the one before. A link that
 * cannot be read changes nothing. Returns an unsubscribe function.
 */
export function followAddress(session: Session): () => void {
  const state = addressState(session)
  state.over = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = 0
  let before = ''
  let newest = scenarioStore(session).getState().opened
  const later = () => {
    timer ??= setTimeout(() => void replace(), Math.max(300, MIN_MS - (performance.now() - last)))
  }
  const replace = async () => {
    if (session.address.pressed()) {
      timer = undefined
      return later()
    }
    await settle().finally(() => {
      timer = undefined
    })
  }
  const settle = async () => {
    // What is edited while the writer is fetched is written with the rest.
    const fragmentOf = await fetchWriter()
    // The front page has the bare address.
    if (onFront(session) || says(state, presentStep(session)) || moved(session, state.met)) return
    before = state.met
    write(session, fragmentOf, 'replace')
    last = performance.now()
  }
  const turn = async (before: CanvasStep) => {
    const fragmentOf = await fetchWriter()
    if (moved(session, state.met)) return
    // The entry that the page leaves keeps the latest scenario.
    if (!says(state, before)) session.address.write(fragmentOf(before), 'replace')
    write(session, fragmentOf, 'push')
    last = performance.now()
  }
  const changed = () => {
    if (arrive(session, state.met)) return
    if (onFront(session)) state.written = { hash: '', whole: null, shown: null }
    if (hashOf(session) === state.written.hash) state.met = state.written.hash
    else void read(session, false)
  }
  // A reload goes to the address that was there when it began, even if another was written since. While a link must still be read, the
  // canvas does not belong to it.
  const leave = () => {
    if (moved(session, state.met)) return
    leaveForReload(
      session,
      performance.now() - last < RELOAD_MS ? [state.met, before] : [state.met],
      runStore(session).getState().engine,
    )
  }
  chooseEngine(session, storedEngine())
  if (hashOf(session) === '') restore(session)
  else void read(session, true)
  const end = scenarioStore(session).subscribe((now, before) => {
    const opened = now.opened > newest
    newest = Math.max(newest, now.opened)
    // The front page puts its own scenario on the canvas.
    if (opened && !state.reading && !(onFront(session) && now.draft === frontPreset.scenario)) void turn(before)
    else if (now.whole !== before.whole || now.shown !== before.shown) later()
  })
  const ends = [end, followFront(session, settle), session.address.onChange(changed), session.address.onLeave(leave)]
  return () => {
    state.over = true
    clearTimeout(timer)
    for (const each of ends) each()
  }
}

const hashOf = (session: Session): string => session.address.read().hash

/** Returns whether the address has another fragment by now, or is not followed any more. */
const moved = (session: Session, hash: string): boolean => addressState(session).over || hashOf(session) !== hash

async function fetchWriter(): Promise<(step: CanvasStep) => string> {
  const { toShortFragment } = await import('../../../scenario/link/codec.ts')
  return ({ whole, shown }) => toShortFragment(whole, { branch: shown })
}

function says({ written }: AddressState, { whole, shown }: CanvasStep): boolean {
  return written.whole === whole && written.shown === shown
}

function write(session: Session, fragmentOf: (step: CanvasStep) => string, how: 'push' | 'replace'): void {
  const state = addressState(session)
  const step = presentStep(session)
  const hash = fragmentOf(step)
  state.written = { hash, whole: step.whole, shown: step.shown }
  if (how === 'push') pushEntry(session, hash)
  else session.address.write(hash, how)
  state.met = hashOf(session)
}

/** Opens what the address says. A run that is started meanwhile waits until its scenario is on the canvas. */
async function read(session: Session, loaded: boolean): Promise<void> {
  const opening = openAddress(session, loaded)
  runAfter(session, opening)
  const openItsView = await opening
  await openItsView?.()
}

/** Puts what the address says on the canvas; after a reload, as it was left. Returns a function that opens the view of a link. */
async function openAddress(session: Session, loaded: boolean): Promise<(() => Promise<void>) | undefined> {
  const { hash } = session.address.read()
  const { openLink } = await import('./openLink.ts')
  const page = { state: addressState(session), moved: () => moved(session, hash), restore: () => restore(session) }
  return page.moved() ? undefined : openLink(session, page, loaded)
}

/** Brings back what was on the canvas at the last visit, once: when the address is first read. */
function restore(session: Session): void {
  const state = addressState(session)
  if (state.restored) return
  state.restored = true
  // If the page was left before its address was written, its engine is restored.
  const engine = leftForReload(hashOf(session))?.engine ?? null
  if (engine !== null) runStore(session).setState({ engine })
  const stored = storedDraft()
  if (stored === null) return
  if ('scenario' in stored) restoreDraft(session, stored)
  else
    showProblems(session, [
      {
        path: '',
        message: t('Your last canvas cannot be read. It is kept: More, Download unreadable text.'),
      },
    ])
}
