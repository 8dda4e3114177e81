import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { playSimulation } from '../../src/runs/play/play.ts'
import { endOf } from '../../src/trace/trace.ts'
import { valid } from '../fixtures/anyScenario.ts'
import { scriptedCore } from './scriptedCore.ts'

const constant = (mean: number) => ({ kind: 'constant', mean })

/** A stage A that makes a part for each of the others, in this order. */
const spawning = (workers: number, children: readonly string[], more: object = {}) => ({
  workers,
  stages: ['A', ...children].map((id) => ({ id, service: constant(10) })),
  links: [
    ['source', 'A'],
    ...children.flatMap((id) => [
      ['A', id],
      [id, 'sink'],
    ]),
  ],
  policy: { kind: 'workStealing', ...more },
})

describe('the policy workStealing', () => {
  // Worked out by hand. Each deque is listed from the old end, where thieves take, to the new end, where the owner takes.
  test('goes on with the newest part, and steals the older half, rounded up', () => {
    const tell = scriptedCore(spawning(2, ['B', 'C', 'D', 'E']))
    expect(tell(0, 'arrived 0', 'exhausted')).toEqual(['started w0 A 0'])
    // w0 made B C D E and goes on with E. Of B C D w1 steals B C and begins with C.
    expect(tell(10, 'finished w0 A 0')).toEqual(['started w0 E 0', 'started w1 C 0'])
    // w1 still has B, and w0 D.
    expect(tell(20, 'finished w1 C 0')).toEqual(['started w1 B 0'])
    expect(tell(25, 'finished w0 E 0')).toEqual(['started w0 D 0'])
    // Nothing is left to steal.
    expect(tell(30, 'finished w1 B 0')).toEqual([])
  })

  test('goes on with the newest part also where an older one is nearer the sink', () => {
    const links = [
      ['source', 'A'],
      ['A', 'B'],
      ['A', 'C'],
      ['B', 'sink'],
      ['C', 'D'],
      ['D', 'sink'],
    ]
    const played = (kind: string) => {
      const tell = scriptedCore({
        workers: 1,
        stages: ['A', 'B', 'C', 'D'].map((id) => ({ id })),
        links,
        policy: { kind },
      })
      const start = (time: number, ...facts: string[]) =>
        tell(time, ...facts).filter((row) => row.startsWith('started'))
      start(0, 'arrived 0', 'exhausted')
      const next = start(10, 'finished w0 A 0')
      return next[0] === 'started w0 C 0' ? [next, start(20, 'finished w0 C 0'), start(30, 'finished w0 D 0')] : [next]
    }
    expect(played('workStealing')).toEqual([['started w0 C 0'], ['started w0 D 0'], ['started w0 B 0']])
    expect(played('perJob')).toEqual([['started w0 B 0']])
  })

  test('takes free jobs before it steals, and its own before both', () => {
    const tell = scriptedCore(spawning(2, ['B', 'C', 'D']))
    tell(0, 'arrived 0')
    expect(tell(5, 'arrived 1', 'arrived 2', 'exhausted')).toEqual(['started w1 A 1'])
    expect(tell(10, 'finished w0 A 0')).toEqual(['started w0 D 0'])
    // w1 made parts of its own, and goes on with them while job 2 is free. w0 has B C of job 0.
    expect(tell(15, 'finished w1 A 1')).toEqual(['started w1 D 1'])
    expect(tell(20, 'finished w0 D 0', 'finished w1 D 1')).toEqual(['started w0 C 0', 'started w1 C 1'])
    expect(tell(30, 'finished w0 C 0', 'finished w1 C 1')).toEqual(['started w0 B 0', 'started w1 B 1'])
    expect(tell(40, 'finished w1 B 1')).toEqual(['gathered 1', 'released 1', 'started w1 A 2'])
    expect(tell(45, 'finished w0 B 0')).toEqual(['gathered 0', 'released 0'])
    // w1 made B C D of job 2: w0 steals one of the two that w1 leaves.
    expect(tell(50, 'finished w1 A 2')).toEqual(['started w1 D 2', 'started w0 B 2'])
  })

  test('begins to search at a random worker and goes on by number', () => {
    const drawn: (readonly [number, number])[] = []
    const game = (share: number) =>
      scriptedCore(spawning(4, ['B', 'C', 'D']), undefined, (worker, time) => {
        drawn.push([worker, time])
        return share
      })
    // w0 and w1 work at A while w2 has nothing. Then both have made parts, and w2 and w3 steal.
    for (const [share, stolen] of [
      [0.3, ['started w2 B 1', 'started w3 C 1']],
      [0.8, ['started w2 B 0', 'started w3 C 0']],
    ] as const) {
      const tell = game(share)
      tell(0, 'arrived 0', 'arrived 1', 'exhausted')
      drawn.length = 0
      expect(tell(10, 'finished w0 A 0', 'finished w1 A 1')).toEqual(['started w0 D 0', 'started w1 D 1', ...stolen])
      expect(drawn).toEqual([
        [2, 10],
        [3, 10],
      ])
    }
  })

  test('finishes a job within work / workers + longest path, as every greedy schedule does', async () => {
    // The greedy bound of Graham (1966) and Brent (1974), which Blumofe and Leiserson begin with.
    const children = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 9 })
    await fc.assert(
      fc.asyncProperty(
        children,
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom('one', 'half'),
        fc.nat(99),
        async (costs, workers, steal, seed) => {
          const stages = [
            { id: 'A', service: constant(7) },
            ...costs.map((mean, i) => ({ id: `P${i}`, service: constant(mean) })),
            { id: 'Z', service: constant(11), join: 'all' },
          ]
          const links = [
            ['source', 'A'],
            ...costs.flatMap((_, i) => [
              ['A', `P${i}`],
              [`P${i}`, 'Z'],
            ]),
            ['Z', 'sink'],
          ]
          const trace = await playSimulation(
            valid({
              version: 1,
              seed,
              source: { kind: 'batch', jobs: 1 },
              stages,
              links,
              workers,
              policy: { kind: 'workStealing', steal },
            }),
            0,
          )
          const work = 18 + costs.reduce((sum, cost) => sum + cost, 0)
          expect(endOf(trace)).toBeLessThanOrEqual(Math.floor(work / workers + 18 + Math.max(...costs)))
          expect(endOf(trace)).toBeGreaterThanOrEqual(Math.max(work / workers, 18 + Math.max(...costs)))
        },
      ),
      { numRuns: 100 },
    )
  })
})
