import type { BatchOrder, Reply } from '../../../engine/conductor/batchPort.ts'
import { isTile, type Payload } from '../../../engine/work/kernels.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { type ColumnsToSend, type FrameColumn, packFrame } from './frame.ts'

/** The presence of a device, on the topic `is`. */
export interface Presence {
  /** Changes each time the device starts again: then it has no loans any more. */
  readonly life: string
  /** Counts its connections to the broker in this life. */
  readonly connection: number
  /** The name that people see; may be empty. */
  readonly name: string
  /** Which build of the page it runs. */
  readonly build: string
  /** The maximum number of threads on loan. */
  readonly threads: number
  /** What its browser lacks, such as `crypto.subtle`. */
  readonly lacks: readonly string[]
  /** The round trip of its last presence to the broker; null: none has returned yet. */
  readonly roundTrip: Micros | null
}

/** The name and the colour of a stage, as a device shows them. */
export type StageSign = { readonly name: string; readonly colour: number }

/**
 * From a conductor to a device. `seat` is the number of a loan: one thread of a device. Conductors never use a number twice. The batches of
 * a loan are numbered from 0 and served in this order. Every message may come twice, late, or never.
 */
export type Down =
  /** Asks for a thread. Earlier loans that are not in `keep` have ended. */
  | {
      readonly kind: 'hello'
      readonly seat: number
      readonly worker: number
      readonly keep: readonly number[]
      readonly stages: readonly StageSign[]
    }
  | { readonly kind: 'clock'; readonly seat: number; readonly trip: number }
  /** `at` is on the clock of the device. */
  | { readonly kind: 'hang'; readonly seat: number; readonly at: Micros }
  | { readonly kind: 'batch'; readonly seat: number; readonly number: number; readonly batch: BatchOrder }
  | { readonly kind: 'end'; readonly seat: number }
  /** Of the loans up to this one only these have not ended. */
  | { readonly kind: 'keep'; readonly seat: number; readonly keep: readonly number[] }

/** From a device to a conductor. */
export type Up =
  /** The thread serves. */
  | { readonly kind: 'hello'; readonly seat: number }
  | { readonly kind: 'clock'; readonly seat: number; readonly trip: number; readonly reading: Micros }
  | { readonly kind: 'hang'; readonly seat: number }
  | { readonly kind: 'answer'; readonly seat: number; readonly number: number; readonly reply: Reply }
  | { readonly kind: 'broken'; readonly seat: number; readonly number: number; readonly words: string }
  /** An error outside the work. */
  | { readonly kind: 'error'; readonly seat: number; readonly words: string }
  /** The loan has ended, or never began. */
  | { readonly kind: 'gone'; readonly seat: number; readonly words: string }

/** Every message names the conductor that sent it or receives it: see `conductorName`. */
export type Addressed<T> = T & { readonly conductor: string }

/** Returns the name of a conductor that starts at this time. Later conductors have greater names. */
export function conductorName(now: Micros, salt: string): string {
  return `${Math.max(0, now).toString(36).padStart(11, '0')}${salt}`
}

export const packPresence = (presence: Presence): Uint8Array<ArrayBuffer> => packFrame(presence)

export function packDown(message: Addressed<Down>): Uint8Array<ArrayBuffer> {
  if (message.kind !== 'batch') return packFrame(message)
  const { batch, ...head } = message
  const { work, stage, switchCosts, jobs, services, failing } = batch
  const { packed, columns } = packPayloads(batch.payloads)
  return packFrame({ ...head, work, stage, payloads: packed }, [switchCosts, jobs, services, failing, ...columns])
}

export function packUp(message: Addressed<Up>): Uint8Array<ArrayBuffer> {
  if (message.kind !== 'answer') return packFrame(message)
  const { reply, ...head } = message
  const { began, ended, threw } = reply
  const { packed, columns } = packPayloads(reply.payloads)
  return packFrame({ ...head, began, threw, payloads: packed }, [ended, ...columns])
}

/** A payload in JSON. Its bytes and numbers are columns of the frame, in the same order. */
export type PackedPayload =
  | string
  | { readonly record: unknown }
  | { readonly bytes: true }
  | {
      readonly tile: readonly [width: number, height: number, x: number, y: number, step: number, iterations: number]
      readonly has: number
    }

/** The bits of `has`. */
export const HAS_COUNTS = 1
export const HAS_PIXELS = 2

function packPayloads(payloads: readonly Payload[] | null): {
  readonly packed: PackedPayload[] | null
  readonly columns: ColumnsToSend
} {
  const columns: FrameColumn[] = []
  const packed = payloads?.map((payload): PackedPayload => {
    if (payload instanceof Uint8Array) {
      columns.push(payload)
      return { bytes: true }
    }
    if (!isTile(payload)) return payload
    const { width, height, x, y, step, iterations, counts, pixels } = payload
    if (counts !== null) columns.push(counts)
    if (pixels !== null) columns.push(pixels)
    return {
      tile: [width, height, x, y, step, iterations],
      has: (counts === null ? 0 : HAS_COUNTS) + (pixels === null ? 0 : HAS_PIXELS),
    }
  })
  return { packed: packed ?? null, columns }
}
