import { MAX_MICROS, MAX_STAGES, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import { unpackFrame } from './frame.ts'
import { isName, isWholeUpTo, type MessageFields, objectIn, signsIn } from './readMessages.ts'
import type { RoomQuestion, RoomRound, RoundAnswer } from './roundMessages.ts'

/** In bytes. The broker refuses longer ones. */
export const MAX_ROUND = 16_384

/** Reads what the host's page asks; null if it is nothing that can be asked. Never throws. */
export function readRound(bytes: Uint8Array): RoomRound | null {
  const frame = bytes.length > MAX_ROUND ? null : unpackFrame(bytes)
  const head = frame === null || frame.columns.length > 0 ? null : objectIn(frame.head)
  if (head === null || !isName(head.round) || typeof head.open !== 'boolean') return null
  const { round, open, scenario } = head
  if (head.kind === 'game') return typeof scenario === 'string' ? { kind: 'game', round, open, scenario } : null
  if (head.kind !== 'question') return null
  const question = questionIn(objectIn(head.question))
  const right = question === null ? undefined : rightIn(head.right, mostOf(question))
  return question === null || right === undefined ? null : { kind: 'question', round, open, question, right }
}

/** Reads what a device says; null if it is no answer. Never throws. Whether it is one to the present round is for the host to see. */
export function readAnswer(bytes: Uint8Array): RoundAnswer | null {
  const frame = bytes.length > MAX_ROUND ? null : unpackFrame(bytes)
  const head = frame === null ? null : objectIn(frame.head)
  if (frame === null || head === null || !isName(head.round) || !isName(head.player)) return null
  const { round, player, guess } = head
  const [seats, ...more] = frame.columns
  if (head.kind === 'guess') return seats === undefined && isWholeUpTo(guess, MAX_MICROS) ? { kind: 'guess', round, player, guess } : null
  return head.kind === 'moves' && seats instanceof Uint8Array && more.length === 0 ? { kind: 'moves', round, player, seats } : null
}

/** Returns the greatest answer that a question allows. All are whole numbers, 0 or more. */
export function mostOf(question: RoomQuestion): number {
  if (question.kind === 'peak') return question.most
  return question.kind === 'makespan' ? MAX_MICROS : question.stages.length - 1
}

function questionIn(fields: MessageFields | null): RoomQuestion | null {
  if (fields === null) return null
  const { kind, stage, stages, most } = fields
  if (kind === 'makespan') return { kind }
  if (kind === 'peak') {
    const signs = signsIn([stage])
    return signs !== null && isWholeUpTo(most, MAX_WORKERS) ? { kind, stage: signs[0], most } : null
  }
  const signs = kind === 'longestWait' ? signsIn(stages) : null
  return signs !== null && signs.length > 0 ? { kind: 'longestWait', stages: signs } : null
}

/** Returns undefined if they cannot be read. */
function rightIn(right: unknown, most: number): readonly number[] | null | undefined {
  if (right === null) return null
  return Array.isArray(right) && right.length <= MAX_STAGES && right.every((answer) => isWholeUpTo(answer, most)) ? right : undefined
}
