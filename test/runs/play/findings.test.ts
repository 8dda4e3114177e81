import { describe, expect, test } from 'vitest'
import { hamilton } from '../../../src/allocation/hamilton.ts'
import { type Decision, decisionAt } from '../../../src/measures/decisions/decision.ts'
import { sentenceOf } from '../../../src/measures/decisions/decisionWords.ts'
import { createEstimateHistory } from '../../../src/measures/decisions/estimateHistory.ts'
import { sentenceText } from '../../../src/measures/decisions/speech.ts'
import { playSimulation, type Summary, summarise } from '../../../src/runs/play/play.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { presetOf } from '../../../src/scenario/presets/presets.ts'
import { decisionIndexAt } from '../../../src/trace/follow.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { valid } from '../../fixtures/anyScenario.ts'

/** A preset with some keys replaced. */
function preset(key: string, patch: object = {}): Scenario {
  const found = presetOf(key)
  if (found === undefined) throw new Error(`no preset ${key}`)
  return valid({ ...found.scenario, ...patch })
}

async function summary(key: string, patch: object = {}): Promise<Summary> {
  return summarise(await playSimulation(preset(key, patch), 0))
}

function decisionsOf(trace: Trace): Decision[] {
  const estimateHistory = createEstimateHistory(trace)
  return Array.from({ length: trace.decisions.length }, (_, d) => decisionAt(trace, estimateHistory, d))
}

const held = ({ stages }: Decision) => stages.map(({ seatsBefore }) => seatsBefore)
const given = ({ stages }: Decision) => stages.map(({ seatsAfter }) => seatsAfter)
const works = ({ stages }: Decision) => stages.map(({ work }) => work)

describe('a preset plays as it is told', () => {
  test('Jefferson differs: on votes of about 9 to 1 it gives seats (8,0,0,0), least total time gives (5,1,1,1) and has the shorter flow times', async () => {
    const decisions = decisionsOf(await playSimulation(preset('jefferson-differs'), 0))
    const told = decisions.filter((decision) => works(decision).join() === '9000,1000,1000,1000')
    expect(told.length).toBeGreaterThan(0)
    for (const decision of told) {
      expect(given(decision)).toEqual([8, 0, 0, 0])
      expect(decision.others.find(({ rule }) => rule === 'leastScore')?.seats).toEqual([5, 1, 1, 1])
    }
    const jefferson = await summary('jefferson-differs')
    const least = await summary('jefferson-differs', { policy: { kind: 'leastScore', lend: false } })
    // 120 ms against 72.
    expect(jefferson.meanFlowTime).toBeGreaterThan(1.5 * least.meanFlowTime)
  })

  test('Cold start: with unknown service times a stage gets no seat until the stages before it are empty; with estimates from its neighbours, jobs flow', async () => {
    const starved = await summary('cold-start')
    const flowing = await summary('cold-start', { estimator: { kind: 'mean', prior: 'neighbours' } })
    // Of 120 jobs 116 wait at Score, and then at Save; the four workers have the other four.
    expect(starved.stages.map(({ maxQueue }) => maxQueue)).toEqual([116, 116, 116])
    expect(flowing.stages.slice(1).every(({ maxQueue }) => maxQueue < 60)).toBe(true)
    expect(starved.p50FlowTime).toBeGreaterThan(1.35 * flowing.p50FlowTime)
    const decisions = decisionsOf(await playSimulation(preset('cold-start'), 0))
    for (const { stages } of decisions)
      if (stages[0].waiting > 0 && stages[1].measured === 0) expect(stages[1].seatsAfter).toBe(0)
  })

  test('One worker per job: on one core a single worker is as fast as four under any other policy, and most jobs leave earlier', async () => {
    const single = await summary('single-wins')
    for (const kind of [
      'leastScore',
      'jefferson',
      'proportional',
      'longestQueue',
      'backpressure',
      'sinkFirst',
      'onePerStage',
    ]) {
      const other = await summary('single-wins', { policy: { kind } })
      expect(single.makespan, kind).toBeLessThanOrEqual(other.makespan)
      expect(single.meanFlowTime, kind).toBeLessThan(other.meanFlowTime)
    }
    const least = await summary('single-wins', { policy: { kind: 'leastScore' } })
    // 2.0 s against 2.8 s.
    expect(least.meanFlowTime).toBeGreaterThan(1.35 * single.meanFlowTime)
    // With four cores, four workers are much faster: the preset explains why.
    const four = await summary('single-wins', { policy: { kind: 'leastScore' }, cores: 4 })
    expect(four.meanFlowTime).toBeLessThan(single.meanFlowTime / 2)
  })

  test('Green threads: the short jobs leave ten times as early as with one worker, the long ones take longer, the core is as busy', async () => {
    const green = await summary('green-threads')
    const one = await summary('green-threads', { policy: { kind: 'single' } })
    expect(green.p50FlowTime).toBeLessThan(one.p50FlowTime / 5)
    expect(green.meanFlowTime).toBeLessThan(one.meanFlowTime / 2)
    expect(green.makespan).toBeGreaterThan(one.makespan)
    expect(green.completed).toBe(one.completed)
  })

  test('A tie: three jobs wait at each stage, and both the first and the last seat are tied and go to A', async () => {
    const trace = await playSimulation(preset('a-tie'), 0)
    const decision = decisionAt(trace, createEstimateHistory(trace), decisionIndexAt(trace, 1_000_000))
    expect(works(decision)).toEqual([3e6, 3e6])
    expect(decision.rounds.map(({ winner, tied }) => [winner, tied])).toEqual([
      [0, [1]],
      [1, []],
      [0, [1]],
    ])
    expect(given(decision)).toEqual([2, 1])
    // (1,2) would be as good: 3/3 + 3/2 is 3/2 + 3/3.
    expect(decision.alternative).toMatchObject({ from: 0, to: 1, scoreBefore: 2.5e6, scoreAfter: 2.5e6 })
  })

  test('The Alabama paradox: an eleventh worker joins, and a stage loses a seat although the votes stay the same', async () => {
    const trace = await playSimulation(preset('alabama'), 0)
    const decision = decisionAt(trace, createEstimateHistory(trace), decisionIndexAt(trace, 300_000))
    expect(decision.verified).toBe(true)
    expect(decision.facts.map(({ kind }) => kind)).toEqual(['joined'])
    expect([held(decision), given(decision)]).toEqual([
      [3, 5, 2],
      [4, 6, 1],
    ])
    // The votes have not changed: ten workers would still get the same seats.
    const ten = [0, 0, 0]
    hamilton(works(decision), [1, 1, 1], 10, ten)
    expect(ten).toEqual([3, 5, 2])
    expect(sentenceText(sentenceOf(trace.scenario, decision))).toBe(
      'Worker 11 joined. Targets: Scan 3 to 4, Sort 5 to 6 and File 2 to 1. Each target is a share of the votes, rounded. ' +
        'Worker 11 starts at Scan: Scan is as far below its target as Sort. Sort is still 1 below its target: File is above its own.',
    )
  })

  test('Jobs that contend: in order they wait more than half of all time; spread, less than half as long; with skipping, close to the lower bound', async () => {
    const contend = await summary('jobs-contend')
    const spread = await summary('jobs-spread')
    const skip = await summary('skip-the-taken')
    // 2.34 s, 0.92 s, 0.80 s; the lower bound is 0.79 s.
    expect(contend.contendedTime).toBeGreaterThan(0.5 * 6 * contend.makespan)
    expect(contend.contendedTime).toBe(contend.stages[1].contendedTime)
    expect(spread.makespan).toBeLessThan(0.5 * contend.makespan)
    expect(spread.contendedTime).toBeLessThan(0.1 * contend.contendedTime)
    expect(skip.contendedTime).toBe(0)
    expect(skip.makespan).toBeLessThan(1.05 * skip.lowerBound)
  })

  test('Cache locality: spread takes half as long again as produced, and is as fast without the cost', async () => {
    const produced = { source: preset('jobs-contend').source }
    const spread = await summary('cache-locality')
    // 1.51 s against 0.98.
    expect(spread.makespan).toBeGreaterThan(1.4 * (await summary('cache-locality', produced)).makespan)
    const free = { groupSwitchCost: 0 }
    expect((await summary('cache-locality', free)).makespan).toBe(
      (await summary('cache-locality', { ...free, ...produced })).makespan,
    )
  })
})
