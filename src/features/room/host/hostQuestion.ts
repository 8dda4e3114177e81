import { createStore } from 'zustand/vanilla'
import { runStore } from '../../../app/session/run/runStore.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { type Metrics, metricsOf } from '../../../measures/figures/metrics.ts'
import { STARTED } from '../../../pipeline/rows.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { createFollower, follow } from '../../../trace/follow.ts'
import type { Trace } from '../../../trace/trace.ts'
import { allTopic, type Carrier, deviceOf, deviceTopic } from '../protocol/carrier.ts'
import { packFrame } from '../protocol/frame.ts'
import type { StageSign } from '../protocol/messages.ts'
import {
  MAX_ROUND,
  maxAnswer,
  type RoomQuestion,
  type RoomRound,
  type RoundAnswer,
  readAnswer,
} from '../protocol/rounds.ts'

export const questionKinds = ['peak', 'makespan', 'longestWait'] as const

/** The host's choice of a question. `stage` is the id of a stage, for a question about one. */
type QuestionChoice = { readonly kind: (typeof questionKinds)[number]; readonly stage: string }

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

interface RoundState {
  /** The present question, or the last one; null: none yet. */
  readonly round: RoomRound | null
  /** The latest answer of each device, in the order of their first answers. */
  readonly answers: ReadonlyMap<string, RoundAnswer>
  /** The pipeline and the run on the canvas when the question was asked. */
  readonly canvas: { readonly stages: string; readonly run: unknown } | null
}

const MAX_PLAYERS = 2000
const nothing: RoundState = { round: null, answers: new Map(), canvas: null }

/** The question to the room, with its answers. The start of the next run closes it, and the end of that run answers it. */
export const roundStore = part((session) => {
  const store = createStore<RoundState>(() => nothing)
  session.onEnd(runStore(session).subscribe(() => followRun(session)))
  // A lesson waits for the first answer.
  store.subscribe(({ answers }) => {
    const { room } = runStore(session).getState()
    if (room !== null && room.answers !== answers.size)
      runStore(session).setState({ room: { ...room, answers: answers.size } })
  })
  return store
})

/** Sends the question to the room over this connection and collects the answers. First it withdraws the one of an earlier page. */
export function carryRounds(session: Session, carrier: Carrier, room: string): void {
  const store = roundStore(session)
  const tell = ({ round }: RoundState) =>
    carrier.publish(allTopic(room), round === null ? new Uint8Array(0) : packFrame(round), true)
  // A restarted broker has no retained question.
  carrier.onState((up) => up && tell(store.getState()))
  session.onEnd(store.subscribe((state, before) => state.round !== before.round && tell(state)))
  carrier.subscribe(deviceTopic(room, '+', 'says'), (topic, bytes) => {
    const device = deviceOf(room, topic, 'says')
    if (device !== null) store.setState(stateAfter(store.getState(), device, bytes))
  })
}

/** Returns the state after a message of a device. Answers to another question are late, and invalid ones are ignored. */
function stateAfter(state: RoundState, device: string, bytes: Uint8Array): RoundState {
  const { round, answers } = state
  const answer = readAnswer(bytes)
  if (answer === null || round === null || !round.open || answer.round !== round.round) return state
  if (answer.guess > maxAnswer(round.question)) return state
  const last = answers.get(device)
  // A repeated answer changes nothing.
  if (last?.guess === answer.guess) return state
  if (last === undefined && answers.size >= MAX_PLAYERS) return state
  // A player who returns as another device still has one answer.
  const others = [...answers].filter(([id, { player }]) => id === device || player !== answer.player)
  return { ...state, answers: new Map([...others, [device, answer]]) }
}

/** Returns a unique name for a round. */
export function newRound(): string {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(36)).join('')
}

/** Asks the room. Returns whether the question could be sent. */
export function askRoom(session: Session, choice: QuestionChoice): boolean {
  const { scenario } = scenarioStore(session).getState()
  const question = questionAbout(scenario, choice)
  if (question === null) return false
  const round: RoomRound = { round: newRound(), open: true, question, right: null }
  if (packFrame(round).length > MAX_ROUND) return false
  const { run } = runStore(session).getState()
  roundStore(session).setState({ ...nothing, round, canvas: { stages: stagesOf(scenario), run } })
  return true
}

export function withdrawRound(session: Session): void {
  roundStore(session).setState(nothing)
}

/** Closes the question when a run starts, and answers it when that run has been played to its end. */
function followRun(session: Session): void {
  const store = roundStore(session)
  const { round, canvas } = store.getState()
  const { phase, run, played } = runStore(session).getState()
  if (round === null || canvas === null || round.right !== null) return
  if (run === null || run === canvas.run || stagesOf(run.scenario) !== canvas.stages) return
  if (round.open) {
    if (phase === 'running') store.setState({ round: { ...round, open: false } })
    return
  }
  // A stopped run has no result: the next one answers.
  if (phase !== 'ended' || !played || run.trace.ending === 'stopped') return
  const { question } = round
  const right = rightAnswers(question, run.trace)
  // More workers may have joined since the question.
  const kept = question.kind === 'peak' ? { ...question, most: Math.max(question.most, ...right) } : question
  store.setState({ round: { ...round, question: kept, right } })
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
