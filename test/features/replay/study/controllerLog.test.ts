import { describe, expect, test } from 'vitest'
import { controllerSentence } from '../../../../src/features/pools/page/ElasticPanel.tsx'
import { createReplayer, journalPieces, takePiece } from '../../../../src/features/replay/study/replay.ts'
import { DISMISSED, HIRED, rowTime, TICK } from '../../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { eachRow, type Trace } from '../../../../src/trace/trace.ts'
import { valid } from '../../../fixtures/anyScenario.ts'

const pool = {
  version: 1,
  source: {
    kind: 'steps',
    at: [
      [0, 50],
      [500_000, 400],
      [1_500_000, 50],
    ],
    jobs: 500,
  },
  stages: [{ id: 'A', service: { kind: 'constant', mean: 20_000 } }],
  workers: 30,
  estimator: { kind: 'window', n: 20, prior: 'declared' },
}
const gains = { kp: 1, ki: 0.1, kd: 0.01, every: 20_000, setpoint: 1, up: -4, down: -0.5, clamp: 3 }

function logOf(trace: Trace) {
  const replayer = createReplayer(trace.scenario)
  for (const piece of journalPieces(trace, 200)) expect(takePiece(replayer, piece)).toBe(true)
  return replayer.controllers
}

function timesOf(trace: Trace, ...kinds: readonly number[]): number[] {
  const times: number[] = []
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (kinds.includes(rows.kind[i])) times.push(rowTime(rows, i))
  })
  return times
}

describe('the decisions of controllers', () => {
  test.each(['pid', 'adaptive'])(
    '%s: a worker came at exactly the ticks whose output asks for one, found again from the record',
    async (kind) => {
      const trace = await playSimulation(
        valid({ ...pool, policy: { kind, ...gains, ...(kind === 'adaptive' && { tunedAt: 10_000 }) } }),
        0,
      )
      const { times, outputs, factors } = logOf(trace)
      expect(times).toEqual(timesOf(trace, TICK))
      expect(times.filter((_, k) => outputs[0][k] <= gains.up)).toEqual(timesOf(trace, HIRED))
      const gone = timesOf(trace, DISMISSED)
      expect(gone.length).toBeGreaterThan(0)
      for (const time of gone) expect(outputs[0][times.indexOf(time)]).toBeGreaterThanOrEqual(gains.down)
      expect(new Set(factors[0])).toEqual(new Set([kind === 'pid' ? 1 : 2]))
    },
  )

  test('predictive: the workers it wants are those it has, or fewer while the others are busy', async () => {
    const profile = [
      [0, 25],
      [500_000, 25],
      [500_000, 200],
      [1_500_000, 200],
      [1_500_000, 25],
    ]
    const scenario = valid({
      ...pool,
      policy: { kind: 'predictive', profile, lead: 200_000, utilisation: 0.8, alpha: 0.2, every: 20_000 },
    })
    const trace = await playSimulation(scenario, 0)
    const log = logOf(trace)
    let size = 0
    const sizes = new Map<number, number>()
    eachRow(trace, 0, trace.length, (rows, i) => {
      if (rows.kind[i] === HIRED) size++
      else if (rows.kind[i] === DISMISSED) size--
      sizes.set(rowTime(rows, i), size)
    })
    log.times.forEach((time, k) => {
      expect(sizes.get(time)).toBeGreaterThanOrEqual(log.outputs[0][k])
    })
    // Twice as many come as yesterday, which it knows soon.
    expect(log.factors[0][log.times.indexOf(1_400_000)]).toBeCloseTo(2, 1)
    expect(controllerSentence(scenario, log, 0, 1_410_000)).toMatch(
      /^wants \d+ workers; today is (19\d|20\d)% of the profile$/,
    )
    expect(controllerSentence(scenario, log, 0, -1)).toBe('')
  })
})
