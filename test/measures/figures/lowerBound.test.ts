import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  boundCalculation,
  explainBound,
  type LowerBound,
  leastFlowOf,
  lowerBoundOf,
} from '../../../src/measures/figures/lowerBound.ts'
import { figuresOf } from '../../../src/measures/figures/metrics.ts'
import { topologyOf, workersEver } from '../../../src/pipeline/topology.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { hires } from '../../../src/scenario/model/defaults.ts'
import { isLinear } from '../../../src/scenario/model/linearStages.ts'
import type { Scenario, Stage } from '../../../src/scenario/model/scenario.ts'
import { phasesOf } from '../../../src/scenario/model/schedule.ts'
import { createArrivals, NO_MORE } from '../../../src/workload/arrivals.ts'
import { groupsOf } from '../../../src/workload/groups.ts'
import { createServices, routingOf } from '../../../src/workload/service.ts'
import { anyScenario } from '../../fixtures/anyScenario.ts'
import { repeats } from '../../fixtures/extent.ts'

const sum = (some: readonly number[]) => some.reduce((total, each) => total + each, 0)

/** The plain version: every path of every job from stage to stage, and every bound for every job. */
function plainly(scenario: Scenario): { readonly bound: LowerBound; readonly leastFlow: number } {
  const { stages, network } = scenario
  const { firsts, ways, routes, copies } = topologyOf(scenario)
  const services = createServices(scenario)
  const routeOf = routingOf(scenario)
  const next = createArrivals(scenario)
  const arrivals: number[] = []
  for (let time = next.next(); time !== NO_MORE; time = next.next()) arrivals.push(time)

  const throwsAt = (s: number, job: number) => stages[s].fails?.jobs.includes(job) ?? false
  const waysFrom = (s: number, job: number): number[][] => {
    const onwards = throwsAt(s, job) ? [] : routes[s] === 1 ? [routeOf(s, job)] : [...ways[s]]
    return onwards.length === 0 ? [[s]] : onwards.flatMap((to) => waysFrom(to, job).map((way) => [s, ...way]))
  }
  const jobs = arrivals.map((arrival, job) => {
    const takes = (s: number) => services.at(s, job) * (throwsAt(s, job) ? (stages[s].fails?.tries ?? Number.NaN) : 1)
    const all = [...firsts].flatMap((first) => waysFrom(first, job))
    const seen = [...new Set(all.flat())]
    // There is no bound for a job in parts that throws.
    if (copies && seen.some((s) => throwsAt(s, job))) return { arrival, work: 0, burning: 0, path: 0, takes, seen: [] }
    const burns = seen.filter((s) => stages[s].work !== 'wait')
    return {
      arrival,
      work: sum(seen.map(takes)),
      burning: sum(burns.map(takes)),
      path: Math.max(...all.map((way) => sum(way.map(takes)))),
      takes,
      seen,
    }
  })

  const none = { from: 0, work: 0, by: 1, job: 0, time: 0 }
  const greatest = (some: readonly LowerBound[], empty: LowerBound) =>
    some.reduce((best, each) => (each.time > best.time ? each : best), empty)
  const shared = (name: 'work' | 'cores', works: readonly number[], by: number): LowerBound =>
    greatest(
      jobs.flatMap(({ arrival }, job) => {
        const rest = works.slice(job).reduceRight((total, each) => total + each, 0)
        return rest > 0 ? [{ name, from: arrival, work: rest, by, job, time: arrival + Math.ceil(rest / by) }] : []
      }),
      { ...none, name, by },
    )
  // Each stage of a line has a start-up, unless the policy hires or a job fails.
  const shortest = ({ startUp }: Stage) => (startUp === null ? 0 : startUp.kind === 'constant' ? startUp.mean : 1)
  const started = isLinear(scenario) && !hires(scenario.policy.kind) && stages.every(({ fails }) => fails === null)
  const starting = started ? sum(stages.map(shortest)) : 0
  const workers = workersEver(scenario)
  const cores = network === null ? Math.max(...phasesOf(scenario).map((phase) => phase.cores)) : workers
  const burnt = jobs.map(({ burning }) => Math.max(0, burning - 0.01 * stages.length))
  const path = greatest(
    jobs.map(({ arrival, path }, job) => ({
      name: 'path',
      from: arrival,
      work: path,
      by: 1,
      job,
      time: arrival + path,
    })),
    { ...none, name: 'path' },
  )
  // Groups on a graph have no bound.
  const groups = isLinear(scenario) ? groupsOf(scenario.source, scenario.seed) : null
  const groupWork = [...topologyOf(scenario).order].flatMap((s) => {
    if (groups === null || stages[s].resource === null) return []
    const own = jobs.flatMap(({ seen }, job) => (seen.includes(s) ? [job] : []))
    return [...new Set(own.map((job) => groups[job]))].map((group): LowerBound => {
      const members = own.filter((job) => groups[job] === group)
      const time = sum(members.map((job) => jobs[job].takes(s)))
      return {
        ...none,
        name: 'group',
        time,
        work: time,
        job: members[0],
        group: { jobs: members.length, stage: stages[s].name },
      }
    })
  })
  const bounds = [
    shared(
      'work',
      jobs.map(({ work }, job) => (job === 0 ? work + starting : work)),
      workers,
    ),
    ...(cores < workers ? [shared('cores', burnt, cores)] : []),
    path,
    ...groupWork,
  ]
  const fails = stages.some((stage) => stage.fails !== null)
  return {
    bound: greatest(bounds.slice(1), bounds[0]),
    leastFlow: fails || jobs.length === 0 ? 0 : Math.floor(sum(jobs.map((job) => job.path)) / jobs.length),
  }
}

test('the lower bound and the least flow time equal those of all jobs and paths, tried one by one', async () => {
  const seen = new Map<string, number>()
  await fc.assert(
    fc.property(fc.oneof(anyScenario({ jobs: 30 }), anyScenario({ jobs: 30, graphs: true })), (scenario) => {
      const { bound, leastFlow } = plainly(scenario)
      expect(lowerBoundOf(scenario)).toEqual(bound)
      expect(leastFlowOf(scenario)).toBe(leastFlow)
      seen.set(bound.name, (seen.get(bound.name) ?? 0) + 1)
    }),
    { numRuns: repeats(800), seed: 4 },
  )
  for (const name of ['work', 'cores', 'path', 'group']) expect(seen.get(name) ?? 0, name).toBeGreaterThan(0)
})

test('the bound of a played run is that of its scenario, whatever happened in it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(anyScenario({ jobs: 12 }), anyScenario({ jobs: 12, graphs: true, workerEvents: false, fails: false })),
      async (scenario) => {
        expect(figuresOf(await playSimulation(scenario, 0)).bound).toEqual(lowerBoundOf(scenario))
      },
    ),
    { numRuns: repeats(150) },
  )
})

test('each kind of bound has a sentence and a calculation', () => {
  const boundText = (bound: Partial<LowerBound>) => {
    const whole: LowerBound = { name: 'work', time: 70, from: 0, work: 60, by: 1, job: 2, ...bound }
    const write = (time: number) => `${time} us`
    return [explainBound(whole, write), boundCalculation(whole, write)]
  }
  expect(boundText({})).toEqual([
    'There is 60 us of work for 1 worker, so no run can finish before 70 us.',
    '60 us = 70 us',
  ])
  expect(boundText({ name: 'cores', by: 3, from: 50 })).toEqual([
    'After 50 us, 60 us of work remain for 3 cores, so no run can finish before 70 us.',
    '50 us + 60 us / 3 = 70 us',
  ])
  expect(boundText({ name: 'cores' })[0]).toBe('There is 60 us of work for 1 core, so no run can finish before 70 us.')
  expect(boundText({ name: 'path', from: 10 })).toEqual([
    'Job 3 arrives at 10 us and takes 60 us, so no run can finish before 70 us.',
    '10 us + 60 us = 70 us',
  ])
  expect(boundText({ name: 'group', group: { jobs: 1, stage: 'Book' } })[0]).toBe(
    'The group of job 3 (1) takes 60 us at Book, one at a time, so no run can finish before 70 us.',
  )
})
