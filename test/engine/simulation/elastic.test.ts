import { describe, expect, test } from 'vitest'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { isDrained } from '../../../src/pipeline/counts.ts'
import { setPolicy } from '../../../src/scenario/edit/edits.ts'
import { countJobs } from '../../../src/scenario/model/sources.ts'
import { presets } from '../../../src/scenario/presets/presets.ts'
import { digestOf } from '../../../src/trace/digest.ts'
import { readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import { stateAt } from '../../../src/trace/trace.ts'
import { elasticPolicies } from '../../fixtures/anyScenario.ts'
import { constant, noted, play } from './play.ts'

const threshold = { kind: 'threshold', high: 0, idle: 5000, every: 1000 }
const asked = { source: { kind: 'batch', jobs: 3 }, stages: [constant('A', 2500)], workers: 2, policy: threshold }

describe('pools that hire and dismiss, simulated', () => {
  test('are updated at every tick from time 0 on, after the other facts of the instant', async () => {
    const { trace, rows } = await play({ ...asked, source: { kind: 'times', at: [0, 0, 0, 20_000] } })
    expect(trace.ending).toBe('drained')
    expect(noted(rows, trace, 'hired', 'dismissed', 'started', 'released')).toEqual([
      '0 hired A w0',
      '0 started A w0 j0',
      '1000 hired A w1',
      '1000 started A w1 j1',
      '2500 released j0',
      '2500 started A w0 j2',
      '3500 released j1',
      '5000 released j2',
      '9000 dismissed A w1',
      '10000 dismissed A w0',
      '20000 hired A w0',
      '20000 started A w0 j3',
      '22500 released j3',
    ])
    expect(noted(rows, trace, 'arrived', 'tick', 'hired').slice(0, 5)).toEqual([
      '0 arrived j0',
      '0 arrived j1',
      '0 arrived j2',
      '0 tick',
      '0 hired A w0',
    ])
    expect(metricsOf(trace).workersOverTime).toEqual([
      [0, 1],
      [1000, 2],
      [9000, 1],
      [10_000, 0],
      [20_000, 1],
    ])
    expect(frameAt(trace, 2000).stages[0].seats).toBe(2)
    expect(frameAt(trace, 15_000).stages[0].seats).toBe(0)
  })

  test('that never hire leave a run stuck 10 s after its last other row, as does a pool at its limit without workers', async () => {
    const silent = await play({
      ...asked,
      policy: { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 500_000, setpoint: 0, up: -100, down: -20 },
    })
    expect(silent.trace.ending).toBe('stuck')
    expect(silent.rows.at(-1)?.time).toBe(10_000_000)
    const slow = await play({ ...asked, policy: { ...threshold, every: 3_600_000_000 } })
    expect(slow.trace.ending).toBe('drained')
    const crashes = [0, 1].map((worker) => ({ at: 1500, kind: 'crash', worker }))
    const lost = await play({ ...asked, workerEvents: crashes })
    expect(lost.trace.ending).toBe('stuck')
    expect(stateAt(lost.trace, Infinity).counts.waiting[0]).toBe(3)
  })

  test('know a service time that is measured or declared: under adaptive and predictive the priors neighbours and one are the same', async () => {
    const stages = ['A', 'B'].map((id, k) => constant(id, 4000 * (k + 1)))
    const profile = [[0, 400]]
    const pid = { kind: 'adaptive', kp: 0.3, ki: 0, kd: 0, setpoint: 0, up: -2, down: -0.1, tunedAt: 1000, every: 1000 }
    for (const policy of [
      pid,
      { kind: 'predictive', profile, lead: 20_000, utilisation: 0.8, alpha: 0.2, every: 1000 },
    ]) {
      const source = { kind: 'regular', rate: 400, jobs: 30 }
      const played = async (prior: string) =>
        (await play({ source, stages, workers: 6, policy, estimator: { kind: 'mean', prior } })).rows
      const [neighbours, one, declared] = await Promise.all(['neighbours', 'one', 'declared'].map(played))
      expect(neighbours).toEqual(one)
      expect(declared).not.toEqual(one)
    }
  })

  test('with default parameters finish every preset', async () => {
    for (const { key, scenario } of presets) {
      if (countJobs(scenario.source) > 2000 || scenario.workerEvents.some(({ kind }) => kind === 'join')) continue
      for (const kind of elasticPolicies) {
        const { trace } = await play(setPolicy(scenario, kind))
        expect(trace.ending, `${key} under ${kind}`).toBe('drained')
      }
    }
  })

  test('read back from their trace exactly, and a hire of a present worker is refused', async () => {
    const { trace } = await play({ ...asked, source: { kind: 'sine', max: 20, every: 20_000, duration: 400_000 } })
    expect(isDrained(trace.head.counts) || trace.ending === 'drained').toBe(true)
    const text = [...writeTraceJson(trace)].join('')
    const read = readTraceJson(text)
    if ('problems' in read) throw new Error(JSON.stringify(read.problems))
    expect(digestOf(read.trace)).toBe(digestOf(trace))
    const file = JSON.parse(text)
    const hired = file.kinds.indexOf('hired')
    const first = file.events.kind.indexOf(hired)
    const second = file.events.kind.indexOf(hired, first + 1)
    file.events.worker[second] = file.events.worker[first]
    expect(readTraceJson(JSON.stringify(file))).toMatchObject({
      problems: [{ path: `events.worker[${second}]`, message: expect.stringContaining('is there already') }],
    })
  })
})
