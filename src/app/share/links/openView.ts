import { t } from '../../../language/translate.ts'
import { MAX_COMPARED } from '../../../runs/study/compare.ts'
import type { Opening } from '../../../scenario/link/opening.ts'
import { decisionTime } from '../../../trace/follow.ts'
import { endOf } from '../../../trace/trace.ts'
import { showBranch } from '../../session/branches/branchStore.ts'
import { openerOf } from '../../session/features/features.tsx'
import { seek } from '../../session/page/playhead.ts'
import { openPanel, openRecord } from '../../session/page/showing.ts'
import { shownTimeline, showRange } from '../../session/page/timelineStore.ts'
import { movePlayback, type Run, runStore, runWhen } from '../../session/run/runStore.ts'
import { start } from '../../session/run/startStop.ts'
import { scenarioStore, showProblems } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'

/**
 * Sets the page as a link says. Starts the run if the link needs one, and waits for its end if the link needs its length. `waits`: it
 * runs only after Run is pressed; the parts of the view that need a run wait for it.
 */
export async function openView(session: Session, opening: Opening, waits = false): Promise<void> {
  const { branch, at, decision, range, panel, record, policies, run: engine, beat } = opening
  if (branch !== null && branch < scenarioStore(session).getState().whole.branches.length) showBranch(session, branch)
  if (beat !== null) openerOf(session, 'beat')?.(session, beat)
  if (policies !== null) await openerOf(session, 'policies')?.(session, policies.slice(0, MAX_COMPARED))
  if (record !== null || policies !== null) openRecord(session, record ?? 'compare')
  const needsRun = at !== null || decision !== null || range !== null
  if (waits) {
    if (panel !== null) openPanel(session, panel)
    if (needsRun) void pressed(session).then((run) => (run ? standIn(session, opening) : undefined))
    return
  }
  if (needsRun || engine !== null) await start(session)
  await standIn(session, opening)
}

/** Resolves when the person has pressed Run; with false if another scenario was opened before. */
async function pressed(session: Session): Promise<boolean> {
  const { opened } = scenarioStore(session).getState()
  const there = () => scenarioStore(session).getState().opened === opened
  await runWhen(session, ({ run }) => run !== null || !there())
  return there()
}

async function standIn(session: Session, { at, decision, range, panel }: Opening): Promise<void> {
  // The run has opened another panel.
  if (panel !== null || decision !== null) openPanel(session, panel ?? 'decision')
  const { run } = runStore(session).getState()
  const stands = at ?? range?.[0] ?? (decision === null ? null : 0)
  if (run === null || stands === null) return
  // The run may not have come so far yet, so the playhead is not held back.
  movePlayback(session, { time: stands, playing: false, following: false })
  if ((decision === null && range === null) || !(await ended(session, run))) return
  if (at === null && decision !== null) {
    if (decision < run.trace.decisions.length) seek(session, decisionTime(run.trace, decision))
    else tellBeyond(session, '&decision=')
  }
  if (range === null) return
  if (range[0] >= endOf(run.trace)) return tellBeyond(session, '&range=')
  if (await drawn(session)) showRange(session, [range[0], Math.min(range[1], endOf(run.trace))])
}

/** Resolves when a run has ended; with false if another run has replaced it. */
async function ended(session: Session, run: Run): Promise<boolean> {
  const now = await runWhen(session, (state) => state.run !== run || state.phase === 'ended')
  return now.run === run
}

/** Resolves when the timeline has drawn its run: within a few frames if it is open, else with false. */
async function drawn(session: Session): Promise<boolean> {
  for (let frames = 0; frames < 60 && shownTimeline(session).timeline === null; frames++) await frame()
  await frame()
  await frame()
  return shownTimeline(session).timeline !== null
}

const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))

/** Tells that the run ends before what this option of the link asks for. */
function tellBeyond(session: Session, option: string): void {
  const message = t('{option} is beyond the end of the run', { option })
  showProblems(session, [...scenarioStore(session).getState().problems, { path: 'link', message }], true)
}
