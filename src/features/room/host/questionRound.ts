import { runStore } from '../../../app/session/run/runStore.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { type Metrics, metricsOf } from '../../../measures/figures/metrics.ts'
import { STARTED } from '../../../pipeline/rows.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { createFollower, follow } from '../../../trace/follow.ts'
import type { Trace } from '../../../trace/trace.ts'
import { packFrame } from '../protocol/frame.ts'
import type { StageSign } from '../protocol/messages.ts'
import { MAX_ROUND, type RoomQuestion, type RoomRound } from '../protocol/rounds.ts'
import { beginRound, newRound, roundStore, tellRound } from './hostRounds.ts'

/** The host's choice of a question. `stage` is the id of a stage, for a question about one. */
type QuestionChoice = { readonly kind: RoomQuestion['kind']; readonly stage: string }

/** Returns the question about a scenario; null if it has no such stage. */
export function questionAbout({ stages, workers }: Scenario, { kind, stage }: QuestionChoice): RoomQuestion | null {
  if (kind === 'makespan') return { kind }
  const signs = stages.map(({ name }, colour): StageSign => ({ name, colour }))
  if (kind === 'longestWait') return { kind, stages: signs }
  const at = stages.findIndex(({ id }) => id === stage)
  return at < 0 ? null : { kind, stage: signs[at], most: workers }
}

/** Returns the right answers to a question about a run; none if there is nothing to compare. */
export function rightAnswers(question: RoomQuestion, trace: Trace): number[] {
  if (question.kind === 'makespan') return [metricsOf(trace).makespan]
  return question.kind === 'peak' ? [peakWorkers(trace)[question.stage.colour]] : longestWaits(metricsOf(trace))
}

/** Asks the room. The start of the next run closes the question, and its end answers it. Returns whether the question could be sent. */
export function askRoom(session: Session, choice: QuestionChoice): boolean {
  const { scenario } = scenarioStore(session).getState()
  const question = questionAbout(scenario, choice)
  if (question === null) return false
  const round: RoomRound = { round: newRound(), open: true, question, right: null }
  if (packFrame(round).length > MAX_ROUND) return false
  Object.assign(asked(session), {
    round: round.round,
    stages: stagesOf(scenario),
    before: runStore(session).getState().run,
  })
  beginRound(session, round)
  return true
}

/** The canvas at the time of the question. */
const asked = part((session) => {
  const about: { round: string; stages: string; before: unknown } = { round: '', stages: '', before: null }
  session.onEnd(runStore(session).subscribe(() => followRun(session)))
  return about
})

/** Closes the question when a run starts, and answers it when that run has been played to its end. */
function followRun(session: Session): void {
  const { round } = roundStore(session).getState()
  const { round: mine, stages, before } = asked(session)
  const { phase, run, played } = runStore(session).getState()
  if (
    round === null ||
    round.round !== mine ||
    round.right !== null ||
    run === null ||
    run === before ||
    stagesOf(run.scenario) !== stages
  )
    return
  if (round.open) {
    if (phase === 'running') tellRound(session, { ...round, open: false })
    return
  }
  // A stopped run has no result: the next one answers.
  if (phase !== 'ended' || !played || run.trace.ending === 'stopped') return
  const { question } = round
  const right = rightAnswers(question, run.trace)
  // More workers may have joined since the question.
  const kept = question.kind === 'peak' ? { ...question, most: Math.max(question.most, ...right) } : question
  tellRound(session, { ...round, question: kept, right })
}

/** Returns what identifies the pipeline of a question. Its workers may change before the run. */
const stagesOf = ({ stages }: Scenario): string => JSON.stringify(stages.map(({ id, name }) => [id, name]))

/** Returns, by stage, the greatest number of workers that were busy there at once. */
export function peakWorkers(trace: Trace): number[] {
  const follower = createFollower(trace)
  const { busy } = follower.counts
  const most = trace.scenario.stages.map(() => 0)
  follow(follower, Infinity, null, (rows, i) => {
    const stage = rows.stage[i]
    if (rows.kind[i] === STARTED && busy[stage] > most[stage]) most[stage] = busy[stage]
  })
  return most
}

/** Returns the stages where a job waits longest for its start, on average: more than one if they are equal, none if no job waits. */
export function longestWaits({ stages }: Pick<Metrics, 'stages'>): number[] {
  const most = Math.max(0, ...stages.map(({ meanWait }) => meanWait))
  return most === 0 ? [] : stages.flatMap(({ meanWait }, s) => (meanWait === most ? [s] : []))
}
