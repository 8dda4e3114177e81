import { MAX_MICROS, MAX_STAGES, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import { unpackFrame } from './frame.ts'
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

/** A question that the host's page sends to all devices. The broker keeps it until the next replaces it. */
export interface RoomRound {
  /** Unique for each round. */
  readonly round: string
  /** Whether answers count now. */
  readonly open: boolean
  readonly question: RoomQuestion
  /** The right answers, each of which counts; null before they are known. */
  readonly right: readonly number[] | null
}

/** The answer of a device to the host's page. The latest one counts. */
export interface RoundAnswer {
  readonly round: string
  /** Unique for each opened page, since a device may get another name at the broker. */
  readonly player: string
  readonly guess: number
}

/** The longest round in bytes. The broker refuses longer ones. */
export const MAX_ROUND = 16_384

/** Reads a round of the host's page; null if it is not valid. Never throws. */
export function readRound(bytes: Uint8Array): RoomRound | null {
  const head = headIn(bytes)
  if (head === null || !isName(head.round) || typeof head.open !== 'boolean') return null
  const { round, open } = head
  const question = questionIn(objectIn(head.question))
  const right = question === null ? undefined : rightIn(head.right, maxAnswer(question))
  return question === null || right === undefined ? null : { round, open, question, right }
}

/** Reads the answer of a device to any round; null if it is not valid. Never throws. */
export function readAnswer(bytes: Uint8Array): RoundAnswer | null {
  const head = headIn(bytes)
  if (head === null || !isName(head.round) || !isName(head.player) || !isWholeUpTo(head.guess, MAX_MICROS)) return null
  const { round, player, guess } = head
  return { round, player, guess }
}

function headIn(bytes: Uint8Array): MessageFields | null {
  const frame = bytes.length > MAX_ROUND ? null : unpackFrame(bytes)
  return frame === null || frame.columns.length > 0 ? null : objectIn(frame.head)
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
