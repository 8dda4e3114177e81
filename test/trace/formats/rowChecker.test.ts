import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { createRows, FINISHED, kinds, NONE, pushFinished, pushRow, type Row, STOPPED } from '../../../src/pipeline/rows.ts'
import { topologyOf, workersEver } from '../../../src/pipeline/topology.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { checkRow, createRowChecker } from '../../../src/trace/formats/rowChecker.ts'
import { traceRow } from '../../../src/trace/trace.ts'
import { anyScenario, elasticPolicies } from '../../fixtures/anyScenario.ts'
import { type Chance, createChance } from '../../fixtures/chance.ts'
import { createPlainChecker } from './plainChecker.ts'

/** The rows of a run. As in a file, only a `finished` row says when the work began and ended. */
async function rowsOf(scenario: Scenario): Promise<readonly Row[]> {
  const trace = await playSimulation(scenario, 0)
  return Array.from({ length: trace.length }, (_, i) => {
    const row = traceRow(trace, i)
    return row.kind === FINISHED ? row : { ...row, began: NONE, ended: NONE }
  })
}

/** Takes rows one by one, and says of each that cannot follow the ones before it: the column and the message. */
function createChecker(scenario: Scenario, jobs: number) {
  const checker = createRowChecker(scenario, topologyOf(scenario), jobs)
  const rows = createRows(1)
  return (row: Row): string | null => {
    const { time, kind, stage, worker, job, began, ended } = row
    if (kind === FINISHED) pushFinished(rows, time, stage, worker, job, began, ended)
    else pushRow(rows, time, kind, stage, worker, job)
    const objection = checkRow(checker, row, rows, rows.length - 1)
    return objection && `${objection.column}: ${objection.message}`
  }
}

const others = kinds.map((kind) => number(kind)).filter((kind) => kind !== STOPPED)
const withStage = ['finished', 'threw', 'started', 'hired', 'dismissed', 'failed', 'second', 'routed', 'withdrawn', 'discarded'].map(number)
const withWorker = ['finished', 'threw', 'lost', 'joined', 'started', 'hired', 'dismissed', 'second'].map(number)
const withJob = ['finished', 'arrived', 'started', 'released', 'failed', 'routed', 'gathered', 'withdrawn', 'discarded', 'turned'].map(number)

function number(kind: string): number {
  return (kinds as readonly string[]).indexOf(kind)
}

/** A row a little beside this one, with all numbers that its kind needs, at the same time or later. */
function beside(row: Row, rows: readonly Row[], scenario: Scenario, jobs: number, chance: Chance): Row {
  const another = chance.pick(rows)
  // Nothing may follow a stop, so one in twenty is enough.
  const kind = !chance.percent(40) ? row.kind : chance.percent(5) ? STOPPED : chance.pick(others)
  const near = (value: number, other: number, count: number, needed: boolean) => {
    const to = chance.percent(60) ? value : chance.percent(60) ? value + chance.pick([-1, 1]) : other
    return Math.min(count - 1, Math.max(needed ? 0 : NONE, to))
  }
  const time = row.time + (chance.percent(80) ? 0 : chance.between(1, 2000))
  const ended = Math.max(0, chance.percent(50) ? time : Math.min(row.ended + chance.pick([-1, 0, 1]), time))
  return {
    time,
    kind,
    stage: near(row.stage, another.stage, scenario.stages.length, withStage.includes(kind)),
    worker: near(row.worker, another.worker, workersEver(scenario), withWorker.includes(kind)),
    job: near(row.job, another.job, jobs, withJob.includes(kind)),
    ended: kind === FINISHED ? ended : NONE,
    began: kind === FINISHED ? Math.max(0, Math.min(ended, row.began + chance.pick([-1, 0, 0, 1]))) : NONE,
  }
}

const small = { jobs: 6, stages: 3, workers: 3 }
const sorts = {
  'in a line': anyScenario(small),
  'on a graph': anyScenario({ ...small, stages: 5, graphs: true }),
  'with workers who are hired': anyScenario({ ...small, policies: elasticPolicies }),
}
type Sort = keyof typeof sorts

interface Run {
  readonly scenario: Scenario
  readonly rows: readonly Row[]
}
const runs = new Map<Sort, readonly Run[]>()

beforeAll(async () => {
  for (const [sort, scenarios] of Object.entries(sorts)) {
    const played: Run[] = []
    for (const scenario of fc.sample(scenarios, { numRuns: 60, seed: 3 })) {
      const rows = await rowsOf(scenario)
      if (rows.length >= 8 && rows.length <= 150) played.push({ scenario, rows })
    }
    runs.set(sort as Sort, played)
  }
})

describe('rows that follow each other', () => {
  test.each(Object.keys(sorts) as Sort[])('%s are accepted or refused for the same reason by plain rules', (sort) => {
    const seen = new Set<string>()
    for (const [number, { scenario, rows }] of (runs.get(sort) ?? []).entries()) {
      const jobs = 2 + Math.max(...rows.map(({ job }) => job))
      for (let walk = 0; walk < 4; walk++) {
        const chance = createChance(10 * number + walk)
        const check = createChecker(scenario, jobs)
        const plain = createPlainChecker(scenario)
        // The first walk is the run itself. In the others each of some rows is tried with other numbers first.
        const from = walk === 0 ? rows.length : chance.below(rows.length)
        let now = 0
        const take = (row: Row) => {
          const verdict = check(row)
          const expected = plain(row)
          if (verdict !== expected) expect(verdict, `scenario ${number}: ${JSON.stringify({ ...row, kind: kinds[row.kind] })}`).toBe(expected)
          if (verdict === null) now = row.time
          else seen.add(verdict.replace(/\d+|\w+ after/g, '#'))
          return verdict
        }
        for (const row of rows.slice(0, from)) if (take(row) !== null) throw new Error(`a row of run ${number} is refused`)
        for (const row of rows.slice(from, from + 12)) {
          for (let tries = 0; tries < 4; tries++) take(beside({ ...row, time: Math.max(now, row.time) }, rows, scenario, jobs, chance))
          take({ ...row, time: Math.max(now, row.time) })
        }
      }
    }
    expect(seen.size, 'different reasons').toBeGreaterThan(20)
  })
})
