import { describe, expect, test } from 'vitest'
import { ROUTED } from '../../../src/pipeline/rows.ts'
import { presetOf } from '../../../src/scenario/presets/presets.ts'
import { endOf, stateAt } from '../../../src/trace/trace.ts'
import { diamond } from '../../fixtures/scenarios.ts'
import { constant, noted, play, playTrace } from './play.ts'

const batch = (jobs: number) => ({ kind: 'batch', jobs })

describe('a published example', () => {
  const ideal = [
    ['side-by-side', 'onePerStage', 1_750_000],
    ['side-by-side', 'single', 5_000_000],
    ['six-through-three', 'onePerStage', 1_600_000],
    ['six-through-three', 'single', 3_600_000],
  ] as const
  test.each(ideal)('%s under %s takes %i us to the last digit', async (key, kind, makespan) => {
    expect(endOf(await playTrace({ ...presetOf(key)?.scenario, policy: { kind } }))).toBe(makespan)
  })
})

describe('a graph', () => {
  test('gives each next stage a copy, and a job passes the join when all its parts have arrived', async () => {
    const { trace, rows } = await play({
      source: batch(2),
      stages: [constant('A', 10), constant('B', 5), constant('C', 20), constant('D', 1, { join: 'all' })],
      links: diamond,
      workers: 4,
      policy: { kind: 'onePerStage' },
    })
    expect(noted(rows, trace, 'finished', 'gathered', 'released')).toEqual([
      '10 finished A w0 j0 (0-10)',
      '15 finished B w1 j0 (10-15)',
      '20 finished A w0 j1 (10-20)',
      '25 finished B w1 j1 (20-25)',
      '30 finished C w2 j0 (10-30)',
      '30 gathered D j0',
      '31 finished D w3 j0 (30-31)',
      '31 released j0',
      '50 finished C w2 j1 (30-50)',
      '50 gathered D j1',
      '51 finished D w3 j1 (50-51)',
      '51 released j1',
    ])
    const { counts } = stateAt(trace, 25)
    expect([...counts.gathering]).toEqual([0, 0, 0, 2])
  })

  test('routes jobs in proportion to the weights, the same jobs under every policy and with any number of workers', async () => {
    const routed = async (more: object) => {
      const { rows, trace } = await play({
        source: batch(2000),
        stages: [
          constant('A', 10, { fanOut: { route: { B: 3, C: 1 } } }),
          constant('B', 5),
          constant('C', 20),
          constant('D', 1),
        ],
        links: diamond,
        workers: 3,
        ...more,
      })
      expect(stateAt(trace, Infinity).counts.released).toBe(2000)
      return rows
        .filter(({ kind }) => kind === ROUTED)
        .sort((a, b) => a.job - b.job)
        .map(({ stage }) => stage)
    }
    const ways = await routed({})
    expect(ways).toHaveLength(2000)
    // Three quarters of the jobs, within four standard deviations.
    expect(Math.abs(ways.filter((way) => way === 1).length - 1500)).toBeLessThan(4 * Math.sqrt(2000 * 0.75 * 0.25))
    expect(await routed({ policy: { kind: 'backpressure' }, workers: 7 })).toEqual(ways)
    expect(await routed({ seed: 2 })).not.toEqual(ways)
  })
})
