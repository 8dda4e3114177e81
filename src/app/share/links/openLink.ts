import { t } from '../../../language/translate.ts'
import { readFragment } from '../../../scenario/link/codec.ts'
import { openerOf } from '../../session/features/features.tsx'
import { openScenario } from '../../session/run/opening.ts'
import { runStore } from '../../session/run/runStore.ts'
import { codeIn, stageCodeWaits } from '../../session/scenario/allowedCode.ts'
import { leftForReload, unreadableLink } from '../../session/scenario/savedCanvas.ts'
import {
  type CanvasStep,
  editOrShowProblems,
  forgetPast,
  goneShown,
  presentStep,
  showProblems,
} from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { openView } from './openView.ts'

/** What this page has read from the address and written to it. */
export interface AddressState {
  /**
   * The fragment that the address has, and the scenario and branch it stands for. The fragment may also say how the page opens, so it
   * stays as long as nothing is edited.
   */
  written: { readonly hash: string; readonly whole: CanvasStep['whole'] | null; readonly shown: number | null }
  /** The fragment that was read or written last. If the address has another, a link was followed that must be read before anything is written. */
  met: string
  /** While an address is read, the scenario that it opens adds no entry to the history. */
  reading: boolean
  restored: boolean
  /** Whether the session has stopped following the address: pending fetches then open nothing. */
  over: boolean
}

/** The page whose address is read. */
interface Page {
  readonly state: AddressState
  /** Returns whether the address has another fragment by now, or is not followed any more. */
  moved(): boolean
  /** Brings back what was on the canvas at the last visit, if nothing was opened yet. */
  restore(): void
}

/** Puts what the address says on the canvas; after a reload, as it was left. Returns a function that opens the view of a link. */
export async function openLink(
  session: Session,
  { state, moved, restore }: Page,
  loaded: boolean,
): Promise<(() => Promise<void>) | undefined> {
  const { hash, href } = session.address.read()
  const fragment = readFragment(hash)
  const left = loaded ? leftForReload(hash) : null
  const foreign = fragment.found === 'scenario' && codeIn(fragment.scenario).length > 0
  const view =
    fragment.found === 'scenario' ? { ...fragment.opening, ...(left !== null && { branch: left.branch }) } : null
  if (moved()) return undefined
  state.met = hash
  if (fragment.found === 'nothing') {
    restore()
    return undefined
  }
  if (fragment.found === 'problems') {
    restore()
    unreadableLink(session).latest = href
    showProblems(session, [
      ...fragment.problems,
      { path: '', message: t('The link is kept: More, Download unreadable link.') },
    ])
    return undefined
  }
  state.written = { hash, whole: null, shown: null }
  if (fragment.found === 'question') {
    restore()
    const open = openerOf(session, 'question')
    if (open === undefined)
      showProblems(session, [
        { path: 'link', message: t('This link asks the allocator, which is not part of this page.') },
      ])
    else open(session, fragment.question)
    return undefined
  }
  const { scenario, opening, problems } = fragment
  // After this, a link with problems no longer brings back what an earlier visit left.
  state.restored = true
  state.reading = true
  openScenario(session, scenario, opening.run ?? left?.engine ?? undefined)
  if (loaded) forgetPast(session)
  state.reading = false
  state.written = { hash, whole: presentStep(session).whole, shown: opening.branch }
  // A draft with problems goes back on the canvas; the address says what can be played.
  if (left !== null) editOrShowProblems(session, () => left.draft)
  if (foreign) runStore(session).setState({ status: foreignCodeNotice })
  if (problems.length > 0) showProblems(session, [...goneShown(scenario).problems, ...problems], true)
  // A guess comes before the run, and so does a look at the code of stages.
  const waits =
    foreign ||
    stageCodeWaits(session, scenario, runStore(session).getState().engine) ||
    session.address.read().searchParams.has('guess')
  return view === null ? undefined : () => openView(session, view, waits)
}

/** The status line after a link with such a policy was opened: its code runs only after Run is pressed. */
export const foreignCodeNotice = () => t('This link contains a policy in code. It runs in a sandbox.')
