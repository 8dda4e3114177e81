import { t } from '../../../language/translate.ts'
import { originalOf } from '../../../scenario/edit/branches.ts'
import { expectDigest } from '../../explain/results/digest.ts'
import { openerOf } from '../../session/features/features.tsx'
import { chooseEngine, openScenario } from '../../session/run/opening.ts'
import { runStore } from '../../session/run/runStore.ts'
import { runAfter } from '../../session/run/startStop.ts'
import { codeIn, foreignCodeNotice } from '../../session/scenario/allowedCode.ts'
import { keepUnreadableLink, leaveForReload, leftForReload, storedDraft, storedEngine } from '../../session/scenario/savedCanvas.ts'
import {
  type CanvasStep,
  editOrShowProblems,
  forgetPast,
  presentStep,
  restoreDraft,
  scenarioStore,
  showProblems,
} from '../../session/scenario/scenarioStore.ts'
import { part, type Session } from '../../session/session.ts'

/** Browsers refuse, drop or count addresses that change too often. */
const MIN_MS = 1000

/** What this page has read from the address and written to it. */
interface AddressState {
  /**
   * The fragment that the address has, and the scenario and branch it stands for. The fragment may also say how the page opens, so it
   * stays as long as nothing is edited.
   */
  written: { readonly hash: string; readonly whole: CanvasStep['whole'] | null; readonly shown: number | null }
  /** The fragment that was read or written last. If the address has another, a link was followed that must be read before anything is written. */
  met: string
  /** While an address is read, the scenario that it opens is no new entry of the history. */
  reading: boolean
  restored: boolean
  /** The address is followed no more: what is still being fetched is not opened. */
  over: boolean
}

const addressState = part((): AddressState => ({ written: { hash: '', whole: null, shown: null }, met: '', reading: false, restored: false, over: false }))

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
    // What is edited while the writer is fetched is written with the rest.
    const fragmentOf = await fetchWriter().finally(() => {
      timer = undefined
    })
    if (says(state, presentStep(session)) || moved(session, state.met)) return
    before = state.met
    write(session, fragmentOf, 'replace')
    last = performance.now()
  }
  const turn = async (before: CanvasStep) => {
    const fragmentOf = await fetchWriter()
    if (moved(session, state.met)) return
    // The entry that is left shows what was there last.
    if (!says(state, before)) session.address.write(fragmentOf(before), 'replace')
    write(session, fragmentOf, 'push')
    last = performance.now()
  }
  const changed = () => {
    if (hashOf(session) === state.written.hash) state.met = state.written.hash
    else void read(session, false)
  }
  // A reload goes to the address that was there when it began, though another was written since. If a link is still to be read, the
  // canvas does not belong to it.
  const leave = () => {
    if (moved(session, state.met)) return
    leaveForReload(session, performance.now() - last < MIN_MS ? [state.met, before] : [state.met], runStore(session).getState().engine)
  }
  chooseEngine(session, storedEngine())
  if (hashOf(session) === '') restore(session)
  else void read(session, true)
  const end = scenarioStore(session).subscribe((now, before) => {
    const opened = now.opened > newest
    newest = Math.max(newest, now.opened)
    if (opened && !state.reading) void turn(before)
    else if (now.whole !== before.whole || now.shown !== before.shown) later()
  })
  const ends = [end, session.address.onChange(changed), session.address.onLeave(leave)]
  return () => {
    state.over = true
    clearTimeout(timer)
    for (const each of ends) each()
  }
}

/** Returns the fragment that the address has now, with its `#`. */
function hashOf(session: Session): string {
  return session.address.read().hash
}

/** Returns whether the address has another fragment by now, or is not followed any more. */
function moved(session: Session, hash: string): boolean {
  return addressState(session).over || hashOf(session) !== hash
}

/** Returns what writes a fragment, fetched with the first link. */
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
  session.address.write(hash, how)
  state.met = hashOf(session)
}

/** Opens what the address says. A run that is started meanwhile waits until its scenario is on the canvas. */
async function read(session: Session, loaded: boolean): Promise<void> {
  const opening = openAddress(session, loaded)
  runAfter(session, opening)
  const openItsView = await opening
  await openItsView?.()
}

/** Puts what the address says on the canvas; after a reload, as it was left. Returns what then opens the view of a link. */
async function openAddress(session: Session, loaded: boolean): Promise<(() => Promise<void>) | undefined> {
  const state = addressState(session)
  const { hash, href } = session.address.read()
  const { readFragment } = await import('../../../scenario/link/codec.ts')
  if (moved(session, hash)) return undefined
  const fragment = readFragment(hash)
  const left = loaded ? leftForReload(hash) : null
  const foreign = fragment.found === 'scenario' && codeIn(fragment.scenario).length > 0
  const view = fragment.found === 'scenario' ? { ...fragment.opening, ...(left !== null && { branch: left.branch }) } : null
  const viewing = Object.values(view ?? {}).some((value) => value !== null) ? await import('./openView.ts') : null
  const secret = fragment.found === 'scenario' && fragment.scenario.hidden.length > 0 ? await import('../../session/secrets/secretWords.ts') : null
  if (moved(session, hash)) return undefined
  state.met = hash
  if (fragment.found === 'nothing') {
    restore(session)
    return undefined
  }
  if (fragment.found === 'problems') {
    restore(session)
    keepUnreadableLink(session, href)
    showProblems(session, [...fragment.problems, { path: '', message: t('The link is kept: More, Download unreadable link.') }])
    return undefined
  }
  state.written = { hash, whole: null, shown: null }
  if (fragment.found === 'question') {
    restore(session)
    const open = openerOf(session, 'question')
    if (open === undefined) showProblems(session, [{ path: 'link', message: t('This link asks the allocator, which is not part of this page.') }])
    else open(session, fragment.question)
    return undefined
  }
  const { scenario, opening, problems } = fragment
  // After this, a link with problems no longer brings back what an earlier visit left.
  state.restored = true
  state.reading = true
  // Only a simulation can be compared with a digest.
  openScenario(session, scenario, opening.run ?? left?.engine ?? (opening.digest === null ? undefined : 'simulation'))
  if (loaded) forgetPast(session)
  state.reading = false
  state.written = { hash, whole: presentStep(session).whole, shown: opening.branch }
  // A draft with problems goes back on the canvas; the address says what can be played.
  if (left !== null) editOrShowProblems(session, () => left.draft)
  if (foreign) runStore(session).setState({ status: () => foreignCodeNotice(opening) })
  else if (secret !== null) runStore(session).setState({ status: () => secret.mysteryNotice(scenario) })
  expectDigest(session, originalOf(scenario), opening.digest)
  if (problems.length > 0) showProblems(session, problems, true)
  return view === null ? undefined : () => viewing?.openView(session, view, foreign) ?? Promise.resolve()
}

/** Brings back what was on the canvas at the last visit, once: when the address is first read. */
function restore(session: Session): void {
  const state = addressState(session)
  if (state.restored) return
  state.restored = true
  // If the page was left before its address was written, it comes back with the engine it had.
  const engine = leftForReload(hashOf(session))?.engine ?? null
  if (engine !== null) runStore(session).setState({ engine })
  const stored = storedDraft()
  if (stored === null) return
  if ('scenario' in stored) restoreDraft(session, stored)
  else
    showProblems(session, [
      { path: '', message: t('What this browser had kept of your last visit cannot be read. It is set aside: More, Download unreadable text.') },
    ])
}
