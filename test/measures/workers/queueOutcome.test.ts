import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sentenceText } from '../../../src/measures/decisions/speech.ts'
import { type QueueOutcome, queueOutcomeSentence, rangeAround } from '../../../src/measures/workers/queueOutcome.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

describe('the queue lengths with the same outcome', () => {
  test('are all those around the recorded one, and no further', () => {
    const outcome = fc.record({ target: fc.nat(1), destination: fc.constantFrom(null, null, -1, 0) })
    // Sequences of equal outcomes, as queues lead to.
    const outcomes = fc
      .array(fc.tuple(outcome, fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 6 })
      .map((runs) => runs.flatMap(([each, n]) => Array<QueueOutcome>(n).fill(each)))
    fc.assert(
      fc.property(outcomes, fc.nat(), (all, pick) => {
        const waiting = pick % all.length
        // A longer queue changes nothing.
        const { from, to, outcome } = rangeAround((n) => all[Math.min(n, all.length - 1)], waiting)
        expect(outcome).toEqual(all[waiting])
        const alike = ({ target, destination }: QueueOutcome) =>
          destination === outcome.destination && (destination !== null || target === outcome.target)
        expect(from <= waiting && waiting <= to).toBe(true)
        expect(all.slice(from, to + 1).every(alike)).toBe(true)
        expect([from === 0 || !alike(all[from - 1]), to === Infinity || !alike(all[to + 1])]).toEqual([true, true])
        expect(to === Infinity).toBe(all.slice(waiting).every(alike))
      }),
    )
  })

  test.each([
    [1000, 0, 1_000_000],
    [5000, 1234, 5001],
    [700, 650, 123_456],
    [999_999, 17, 999_999],
  ])('around %i are found however far they reach: %i to %i', (waiting, least, most) => {
    const found = rangeAround((n) => ({ target: n < least ? 0 : n > most ? 2 : 1, destination: null }), waiting)
    expect([found.from, found.to]).toEqual([least, most === 1_000_000 ? Infinity : most])
  })
})

describe('the outcome of another queue', () => {
  const scenario = scenarioWith({
    stages: [
      { id: 'A', name: 'Parse' },
      { id: 'B', name: 'Write' },
    ],
    source: { kind: 'batch', jobs: 1 },
    workers: 2,
  })
  /** Worker 2 was at Parse and went to `went`; the target of Write was 3. */
  const told = (from: number, to: number, outcome: QueueOutcome, went = 0) =>
    sentenceText(
      queueOutcomeSentence(
        scenario,
        [{ seatsAfter: 1 }, { seatsAfter: 3 }],
        { worker: 1, stage: 1, from: 0, went },
        { from, to, outcome },
      ),
    )

  test('is described for one number, for few and for some', () => {
    const idle = { target: 3, destination: -1 }
    expect(told(0, 0, idle)).toBe('With none waiting at Write, worker 2 would have stayed idle.')
    expect(told(7, 7, idle)).toBe('With 7 waiting at Write, worker 2 would have stayed idle.')
    expect(told(0, 9, idle)).toBe('With 9 or fewer waiting at Write, worker 2 would have stayed idle.')
    expect(told(3, 9, idle)).toBe('With 3 to 9 waiting at Write, worker 2 would have stayed idle.')
    expect(told(3, Infinity, idle)).toMatch(/^With 3 or more waiting/)
    expect(told(0, Infinity, idle)).toMatch(/^With any number waiting/)
  })
})
