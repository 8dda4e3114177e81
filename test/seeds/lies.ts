import { packFrame, unpackFrame } from '../../src/features/room/protocol/frame.ts'
import type { Chance } from '../fixtures/chance.ts'
import type { Lie } from './madeUpDevice.ts'

type Head = Record<string, unknown>

const nonsense: readonly unknown[] = [null, -1, 1.5, 1e300, '', 'x', '__proto__', [], {}, true, [[]], Number.MAX_SAFE_INTEGER]

/** Returns bytes that nobody has packed. */
export function noise(chance: Chance): Uint8Array {
  return Uint8Array.from({ length: chance.pick([0, 1, 3, 4, 5, 60]) }, () => chance.below(256))
}

/** Returns a message that is spoilt in one place, and cannot be true. */
export function spoilt(bytes: Uint8Array, chance: Chance): Uint8Array {
  const frame = unpackFrame(bytes)
  if (frame === null) return bytes
  const head = { ...(frame.head as Head) }
  switch (chance.below(4)) {
    case 0:
      return bytes.slice(0, chance.below(bytes.length))
    case 1:
      return packFrame([head], frame.columns)
    case 2:
      return packFrame({ ...head, kind: chance.pick(['nothing', 'toString', 7]), life: chance.pick(nonsense), connection: -1 }, frame.columns)
    default: {
      // A number that stands for something else would be as good as a true one.
      const key = chance.pick(Object.keys(head).filter((name) => name !== 'number' && name !== 'seat' && name !== 'kind' && name !== 'trip'))
      return packFrame({ ...head, [key]: chance.pick(nonsense) }, frame.columns)
    }
  }
}

/** Returns how a device lies from now on. All of it can be seen through. */
export function drawLie(chance: Chance): Lie {
  const own = (bytes: Uint8Array): Head | null => unpackFrame(bytes)?.head as Head | null
  return chance.pick<Lie>([
    () => [noise(chance)],
    () => [],
    (_, bytes) => [spoilt(bytes, chance)],
    (_, bytes) => (chance.percent(20) ? [spoilt(bytes, chance)] : [bytes]),
    // As many answers as there are numbers, to questions that nobody has asked.
    (topic, bytes) => {
      const head = own(bytes)
      if (!topic.endsWith('/up') || head === null) return [bytes]
      const { conductor } = head
      const seat = chance.pick([0, 1, 2, 1000])
      const made = chance.pick([
        { kind: 'clock', conductor, seat: 1000, trip: chance.below(9), reading: 5 },
        { kind: 'hang', conductor, seat },
        { kind: 'error', conductor, seat, words: '\u202eevil\n'.repeat(500) },
        { kind: 'broken', conductor, seat: 1000, number: 0, words: '' },
      ])
      return [packFrame(made, []), bytes]
    },
    // Answers for fewer jobs.
    (_, bytes) => {
      const frame = unpackFrame(bytes)
      const [ended] = frame?.columns ?? []
      return frame !== null && ended instanceof Float64Array && ended.length > 1 ? [packFrame(frame.head, [ended.slice(0, -1)])] : [bytes]
    },
    // Times that no clock shows, and answers that are too long or back to front.
    (_, bytes) => {
      const frame = unpackFrame(bytes)
      const [ended] = frame?.columns ?? []
      if (frame === null || !(ended instanceof Float64Array) || ended.length === 0) return [bytes]
      const made = chance.pick([
        Float64Array.from([...ended, ended[ended.length - 1] + 1]),
        ended.slice(1),
        ended.map((time) => time - 1e15),
        ended.map((time, k) => (k === 0 ? time : Number.NaN)),
        Float64Array.from([...ended, ended[0]]),
      ])
      return [packFrame(frame.head, [made])]
    },
  ])
}
