import { MAX_MICROS, MAX_STAGES, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import { packFrame, unpackFrame } from './frame.ts'
import type { StageSign } from './messages.ts'
import { isName, isWholeUpTo, type MessageFields, objectIn, signsIn } from './readMessages.ts'

/** A question whose answer follows from the record of a run. Each device words it in its own language. */
export type RoomQuestion =
  /** How many workers are busy at this stage at once, at its peak? `most`: the greatest answer allowed. */
  | { readonly kind: 'peak'; readonly stage: StageSign; readonly most: number }
  /** How long does the run take? In microseconds. */
  | { readonly kind: 'makespan' }
  /** At which of these stages does a job wait longest, on average? By index. */
  | { readonly kind: 'longestWait'; readonly stages: readonly StageSign[] }

/** A question or a game that the host's page sends to all devices. The broker keeps it until the next replaces it. */
export type RoomRound = {
  /** Unique for each round. */
  readonly round: string
  /** Whether answers count now. */
  readonly open: boolean
} & (
  | {
      readonly kind: 'question'
      readonly question: RoomQuestion
      /** The right answers, each of which counts; null before they are known. */
      readonly right: readonly number[] | null
    }
  /** Beat the scheduler. The scenario is the fragment of a link. */
  | { readonly kind: 'game'; readonly scenario: string }
)

/** The answer of a device to the host's page. The latest one counts. */
export type RoundAnswer = {
  readonly round: string
  /** Unique for each opened page, since a device may get another name at the broker. */
  readonly player: string
} & (
  | { readonly kind: 'guess'; readonly guess: number }
  /** The seats of all decisions in order, by stage. */
  | { readonly kind: 'moves'; readonly seats: Uint8Array }
)

export const packRound = (round: RoomRound): Uint8Array<ArrayBuffer> => packFrame(round)

export function packAnswer(answer: RoundAnswer): Uint8Array<ArrayBuffer> {
  if (answer.kind === 'guess') return packFrame(answer)
  const { seats, ...head } = answer
  return packFrame(head, [seats])
}

/** The longest round in bytes. The broker refuses longer ones. */
export const MAX_ROUND = 16_384

/** Reads a round of the host's page; null if it is not valid. Never throws. */
export function readRound(bytes: Uint8Array): RoomRound | null {
  const frame = bytes.length > MAX_ROUND ? null : unpackFrame(bytes)
  const head = frame === null || frame.columns.length > 0 ? null : objectIn(frame.head)
  if (head === null || !isName(head.round) || typeof head.open !== 'boolean') return null
  const { round, open, scenario } = head
  if (head.kind === 'game') return typeof scenario === 'string' ? { kind: 'game', round, open, scenario } : null
  if (head.kind !== 'question') return null
  const question = questionIn(objectIn(head.question))
  const right = question === null ? undefined : rightIn(head.right, maxAnswer(question))
  return question === null || right === undefined ? null : { kind: 'question', round, open, question, right }
}

/** Reads the answer of a device to any round; null if it is not valid. Never throws. */
export function readAnswer(bytes: Uint8Array): RoundAnswer | null {
  const frame = bytes.length > MAX_ROUND ? null : unpackFrame(bytes)
  const head = frame === null ? null : objectIn(frame.head)
  if (frame === null || head === null || !isName(head.round) || !isName(head.player)) return null
  const { round, player, guess } = head
  const [seats, ...more] = frame.columns
  if (head.kind === 'guess')
    return seats === undefined && isWholeUpTo(guess, MAX_MICROS) ? { kind: 'guess', round, player, guess } : null
  return head.kind === 'moves' && seats instanceof Uint8Array && more.length === 0
    ? { kind: 'moves', round, player, seats }
    : null
}

/** Returns the greatest answer that a question allows. Answers are whole numbers from 0. */
export function maxAnswer(question: RoomQuestion): number {
  if (question.kind === 'peak') return question.most
  return question.kind === 'makespan' ? MAX_MICROS : question.stages.length - 1
}

function questionIn(fields: MessageFields | null): RoomQuestion | null {
  const { kind, stage, stages, most } = fields ?? {}
  if (kind === 'makespan') return { kind }
  const signs = signsIn(kind === 'peak' ? [stage] : stages)
  if (signs === null || signs.length === 0) return null
  if (kind === 'peak') return isWholeUpTo(most, MAX_WORKERS) ? { kind, stage: signs[0], most } : null
  return kind === 'longestWait' ? { kind, stages: signs } : null
}

/** Returns undefined if they cannot be read. */
function rightIn(right: unknown, max: number): readonly number[] | null | undefined {
  if (right === null) return null
  return Array.isArray(right) && right.length <= MAX_STAGES && right.every((answer) => isWholeUpTo(answer, max))
    ? right
    : undefined
}
