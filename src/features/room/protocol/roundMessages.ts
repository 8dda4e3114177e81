import { packFrame } from './frame.ts'
import type { StageSign } from './messages.ts'

/** A question whose answer follows from the record of a run. A device says it in its own language. */
export type RoomQuestion =
  /** How many workers are busy at this stage at once, at its peak? `most`: nobody may say more. */
  | { readonly kind: 'peak'; readonly stage: StageSign; readonly most: number }
  /** How long does the run take? In microseconds. */
  | { readonly kind: 'makespan' }
  /** At which of these stages does a job wait longest, on average? By index. */
  | { readonly kind: 'longestWait'; readonly stages: readonly StageSign[] }

/** A round: something that all devices are asked. From the host's page to everybody, kept by the broker; the next replaces it. */
export type RoomRound = {
  /** Another for each round. */
  readonly round: string
  /** Whether answers count now. */
  readonly open: boolean
} & (
  | {
      readonly kind: 'question'
      readonly question: RoomQuestion
      /** The right answers; null as long as nobody knows. More than one: each is right. */
      readonly right: readonly number[] | null
    }
  /** Beat the scheduler. The scenario is the fragment of a link. */
  | { readonly kind: 'game'; readonly scenario: string }
)

/** What a device says in a round, to the host's page. It may say it again; the latest counts. */
export type RoundAnswer = {
  readonly round: string
  /** Who plays, whatever the device is called at the broker: another for each page that is opened. */
  readonly player: string
} & (
  | { readonly kind: 'guess'; readonly guess: number }
  /** The seats of all decisions, one after the other, by stage. */
  | { readonly kind: 'moves'; readonly seats: Uint8Array }
)

export function packRound(round: RoomRound): Uint8Array<ArrayBuffer> {
  return packFrame(round, [])
}

export function packAnswer(answer: RoundAnswer): Uint8Array<ArrayBuffer> {
  if (answer.kind === 'guess') return packFrame(answer, [])
  const { seats, ...head } = answer
  return packFrame(head, [seats])
}
