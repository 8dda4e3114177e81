import { lessonStore, showingStore } from '../../app/session/page/showing.ts'
import { showRun } from '../../app/session/run/opening.ts'
import { playback } from '../../app/session/run/playback.ts'
import { movePlayback, type Run, runStore } from '../../app/session/run/runStore.ts'
import { codeWaits } from '../../app/session/scenario/allowedCode.ts'
import { scenarioStore } from '../../app/session/scenario/scenarioStore.ts'
import type { Session } from '../../app/session/session.ts'
import { sessionJob } from '../../app/session/study/backgroundJob.ts'
import { runOfJournals } from '../../app/session/study/runOfJournals.ts'
import { runJob } from '../../runs/remote/jobThreads.ts'
import { playedParts, same } from '../../scenario/model/compact.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { countJobs } from '../../scenario/model/sources.ts'
import { endOf } from '../../trace/trace.ts'

/** An edit waits this long for the next one, so that a drag of a slider plays a few runs only. */
const SETTLE_MS = 200
/** A run that took longer, or is likely to, is only offered. */
const MAX_MS = 1000
/** Fewer services than these take a few milliseconds: if the run took longer, its thread started slowly. */
const QUICK_SERVICES = 10_000

const againJob = sessionJob<Run>()

/** Plays a simulation again by itself after an edit. The playhead stays where it was. Returns a function that stops this. */
export function playAgain(session: Session): () => void {
  const job = againJob(session)
  let timer: ReturnType<typeof setTimeout> | undefined
  const playSoon = () => {
    if (isDue(session)) timer = setTimeout(() => isDue(session) && void again(session), SETTLE_MS)
  }
  // The page loads this last, perhaps after a run and an edit.
  playSoon()
  const end = scenarioStore(session).subscribe((now, before) => {
    if (now.draft === before.draft && now.scenario === before.scenario) return
    clearTimeout(timer)
    job.cancel()
    if (now.opened === before.opened && now.shown === before.shown) playSoon()
  })
  // Run, or another run on the page, takes its place.
  const endRuns = runStore(session).subscribe(({ run }, before) => run !== before.run && job.stop())
  return () => {
    clearTimeout(timer)
    end()
    endRuns()
    job.cancel()
  }
}

/** Returns whether the scenario on the canvas plays by itself. A lesson asks before it shows, and the front page waits for Run. */
function isDue(session: Session): boolean {
  const { run, phase, engine } = runStore(session).getState()
  const { scenario, draftProblems } = scenarioStore(session).getState()
  // Only runs that Run started in the simulation know how long they took.
  if (run?.took === undefined || phase !== 'ended' || engine !== 'simulation' || draftProblems.length > 0) return false
  if (
    showingStore(session).getState().front ||
    lessonStore(session).getState().key !== null ||
    codeWaits(session, scenario)
  )
    return false
  const [before, now] = [run.scenario, scenario].map(servicesIn)
  const isQuick = Math.max(before, now) <= QUICK_SERVICES || run.took * Math.max(1, now / before) <= MAX_MS
  return isQuick && !same(playedParts(run.scenario), playedParts(scenario))
}

const servicesIn = ({ source, stages }: Scenario) => Math.max(1, countJobs(source) * stages.length)

async function again(session: Session): Promise<void> {
  const { scenario } = scenarioStore(session).getState()
  const job = againJob(session)
  const began = performance.now()
  await job.run(async (control) => {
    const compared = await runJob('compare', { scenario, record: true }, control)
    return runOfJournals(scenario, compared)
  })
  const state = job.store.getState()
  const { run, phase } = runStore(session).getState()
  if (
    state.phase !== 'done' ||
    run === null ||
    phase !== 'ended' ||
    scenarioStore(session).getState().scenario !== scenario
  )
    return
  state.result.took = performance.now() - began
  const { time, playing } = playback(session)
  const end = endOf(state.result.trace)
  await showRun(session, state.result, time >= endOf(run.trace) ? end : Math.min(time, end))
  if (playing) movePlayback(session, { playing: true })
}
