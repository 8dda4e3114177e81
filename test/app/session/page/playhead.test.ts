import { beforeEach, describe, expect, test } from 'vitest'
import { seek, stepDecision, stepInstant } from '../../../../src/app/session/page/playhead.ts'
import { openScenario, showRun } from '../../../../src/app/session/run/opening.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { createChart } from '../../../../src/measures/series/chart.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { decisionTime } from '../../../../src/trace/follow.ts'
import { endOf, timeOf } from '../../../../src/trace/trace.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { pageHere } from '../../../fixtures/pageHere.ts'

const scenario = valid({
  version: 1,
  source: { kind: 'poisson', rate: 400, jobs: 30 },
  stages: [
    { id: 'A', service: { kind: 'exponential', mean: 3000 } },
    { id: 'B', service: { kind: 'exponential', mean: 4000 } },
  ],
  workers: 2,
})
const trace = await playSimulation(scenario, 0)
const decisions = [...new Set(Array.from({ length: trace.decisions.length }, (_, d) => decisionTime(trace, d)))]
const instants = [...new Set(Array.from({ length: trace.length }, (_, row) => timeOf(trace, row)))]

const session = createSession()
const now = () => playback(session).time
/** Every place of the playhead when one key is pressed until nothing moves. */
function walk(step: () => void): number[] {
  const places: number[] = []
  for (let before = Number.NaN; before !== now(); ) {
    before = now()
    step()
    if (now() !== before) places.push(now())
  }
  return places
}

beforeEach(async () => {
  pageHere()
  openScenario(session, scenario)
  await showRun(session, { scenario, trace, chart: createChart(trace), startedAt: 0 }, 0)
})

describe('the playhead', () => {
  test('stops at every decision on the way back, also from between two of them', () => {
    expect(decisions.length).toBeGreaterThan(20)
    for (const [k, time] of decisions.entries()) {
      // On a decision the one before comes next; just behind it, that decision itself.
      seek(session, time)
      stepDecision(session, -1)
      expect(now()).toBe(k === 0 ? time : decisions[k - 1])
      seek(session, time + 1)
      if (decisions[k + 1] === time + 1) continue
      stepDecision(session, -1)
      expect(now()).toBe(time)
    }
  })

  test('stops at every decision on the way forward', () => {
    seek(session, 0)
    const first = decisions[0] === 0 ? decisions.slice(1) : decisions
    expect(walk(() => stepDecision(session, 1))).toEqual(first)
  })

  test('stops at every instant of a row, in both directions', () => {
    seek(session, 0)
    const forward = walk(() => stepInstant(session, 1))
    expect(forward).toEqual([...new Set([...instants, endOf(trace)])].filter((time) => time > 0))
    expect(walk(() => stepInstant(session, -1))).toEqual(
      [...new Set([0, ...instants])].filter((time) => time < endOf(trace)).reverse(),
    )
  })
})
