import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOrderBuffer } from '../../src/pipeline/orderBuffer.ts'
import { repeats } from '../fixtures/extent.ts'

interface Step {
  readonly op: 'run' | 'runThrowing' | 'trash'
  readonly ticket: number
  /** Whether the call releases tickets; null for trash. */
  readonly returns: boolean | null
  readonly executedSoFar: number
  readonly handledSoFar: number
}
interface Case {
  readonly n: number
  readonly slots: number
  readonly steps: readonly Step[]
  readonly executed: readonly number[]
  readonly handled: readonly number[]
}
const { cases } = JSON.parse(readFileSync(new URL('../golden/ordered-scheduler.json', import.meta.url), 'utf8')) as {
  cases: readonly Case[]
}

/** The plain version: a map of parked tickets, and a loop. */
function createPlainBuffer<Job>(slots: number) {
  const parked = new Map<number, { job: Job } | null>()
  let tail = 0
  const hand = (ticket: number, entry: { job: Job } | null): Job[] => {
    if (!Number.isInteger(ticket) || ticket < tail || ticket >= tail + slots || parked.has(ticket))
      throw new RangeError('refused')
    parked.set(ticket, entry)
    const released: Job[] = []
    for (let next = parked.get(tail); next !== undefined; next = parked.get(tail)) {
      parked.delete(tail++)
      if (next !== null) released.push(next.job)
    }
    return released
  }
  return {
    put: (ticket: number, job: Job) => hand(ticket, { job }),
    trash: (ticket: number) => hand(ticket, null),
    tail: () => tail,
    held: () => [...parked.values()].filter((entry) => entry !== null).length,
  }
}

describe('the order buffer', () => {
  test.each(cases.map((one) => [one.n, one] as const))(
    'releases in case %i what the original executes, step by step',
    (_, { slots, steps, executed, handled }) => {
      const buffer = createOrderBuffer<{ ticket: number; throws: boolean }>(slots)
      const ran: number[] = []
      const threw: number[] = []
      for (const { op, ticket, returns, executedSoFar, handledSoFar } of steps) {
        const released =
          op === 'trash' ? buffer.trash(ticket) : buffer.put(ticket, { ticket, throws: op === 'runThrowing' })
        for (const job of released) (job.throws ? threw : ran).push(job.ticket)
        expect([ran.length, threw.length]).toEqual([executedSoFar, handledSoFar])
        if (returns !== null) expect(released.length > 0).toBe(returns)
      }
      expect([ran, threw]).toEqual([executed, handled])
    },
  )

  test('equals the plain version for any tickets, including refused ones', () => {
    const step = fc.record({ isTrash: fc.boolean(), ahead: fc.integer({ min: -2, max: 12 }) })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.array(step, { maxLength: 120 }), (slots, steps) => {
        const buffer = createOrderBuffer<string>(slots)
        const plain = createPlainBuffer<string>(slots)
        for (const { isTrash, ahead } of steps) {
          const ticket = plain.tail() + ahead
          const attempt = (hand: {
            put(ticket: number, job: string): readonly string[]
            trash(ticket: number): readonly string[]
          }) => {
            try {
              return [...(isTrash ? hand.trash(ticket) : hand.put(ticket, `job ${ticket}`))]
            } catch (error) {
              expect(error).toBeInstanceOf(RangeError)
              return 'refused'
            }
          }
          expect(attempt(buffer)).toEqual(attempt(plain))
          expect([buffer.tail, buffer.held]).toEqual([plain.tail(), plain.held()])
        }
      }),
      { numRuns: repeats(200) },
    )
  })

  test('names for a refused ticket the accepted ones, and for refused slots the allowed values', () => {
    const buffer = createOrderBuffer<string>(4)
    buffer.put(0, 'a')
    buffer.put(2, 'c')
    const taken = 'tail 1, slots 4, so tickets 1 to 4 are taken, each once'
    expect(() => buffer.put(5, 'x')).toThrow(new RangeError(`ticket 5 is outside the window: ${taken}`))
    expect(() => buffer.trash(2)).toThrow(new RangeError(`ticket 2 was handed in before: ${taken}`))
    expect(() => createOrderBuffer(0.5)).toThrow(new RangeError('slots must be a whole number of at least 1, not 0.5'))
  })

  test('returns lists that do not change later', () => {
    const buffer = createOrderBuffer<number>(4)
    const first = buffer.put(0, 0)
    const second = buffer.put(1, 1)
    expect([first, second]).toEqual([[0], [1]])
    expect(Object.isFrozen(buffer.put(3, 3))).toBe(true)
  })
})
