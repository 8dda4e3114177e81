import { t } from '../../language/translate.ts'
import { topologyOf, workersEver } from '../../pipeline/topology.ts'
import { isElastic } from '../../scenario/model/defaults.ts'
import { isLinear } from '../../scenario/model/linearStages.ts'
import type { Micros, Scenario, Service } from '../../scenario/model/scenario.ts'
import { phasesOf } from '../../scenario/model/schedule.ts'
import { runToEnd } from '../../trace/follow.ts'
import type { Trace } from '../../trace/trace.ts'
import { createArrivals, NO_MORE } from '../../workload/arrivals.ts'
import { groupsOf } from '../../workload/groups.ts'
import { createServices, routingOf } from '../../workload/service.ts'
import type { JobTimes } from './totals.ts'

/**
 * A makespan that no schedule of these jobs can beat. It uses the service times of the scenario, which the scheduler does not know. For drained runs.
 *
 *   work   after `from`, when job `job` arrives, `work` remains for at most `by` workers
 *   cores  the same for burning work, on at most `by` cores: the greatest number, if it changes
 *   path   job `job` arrives at `from` and alone takes `work` (by: 1); for a job in parts, its longest way
 *   group  the jobs of a group, `job` the first of them, take `work` one after the other at a stage where they exclude each other (by: 1)
 */
export interface LowerBound {
  readonly name: 'work' | 'cores' | 'path' | 'group'
  /** The bound: from + work / by, rounded up to whole microseconds. */
  readonly time: Micros
  readonly from: Micros
  readonly work: Micros
  readonly by: number
  readonly job: number
  /** For a bound by a group: its number of jobs, and the name of the stage. */
  readonly group?: { readonly jobs: number; readonly stage: string }
}

/** Jobs between two pauses: a few milliseconds of work. */
const JOBS_A_STEP = 16_384

/** By job: its arrival, and its service time at all stages and at those that burn. */
interface Jobs {
  readonly arrival: Float64Array
  readonly work: Float64Array
  readonly burning: Float64Array
  /** The least time in the system: its services, on the longest way where parts are parallel. */
  readonly path: Float64Array
  /** The bound of the group that takes longest at a stage. */
  mutex: LowerBound
}

/** Returns the greatest proven bound; 0 without jobs. Ties go to `work`, then `cores`, then `path`. */
export function lowerBoundOf(scenario: Scenario): LowerBound {
  return runToEnd(lowerBoundInSteps(scenario))
}

/** Returns the same bound in steps of a few milliseconds, so that a page stays responsive. */
export function* lowerBoundInSteps(scenario: Scenario): Generator<void, LowerBound> {
  return greatestBound(scenario, yield* jobsOf(scenario))
}

/** Returns the bound of a run that was just played here, from its own services. */
export function lowerBoundOfRun(trace: Trace, { arrivedAt, work, path }: JobTimes): LowerBound {
  const { scenario } = trace
  if (!servesAsDrawn(trace)) return lowerBoundOf(scenario)
  // Every burning worker has a core, so the cores set no further bound.
  return greatestBound(scenario, {
    arrival: arrivedAt,
    work,
    burning: new Float64Array(work.length),
    path,
    mutex: none,
  })
}

/** Returns the bound of a run; none if its services were shorter than its scenario says. */
export const boundFor = (bound: LowerBound, { ending }: Trace, makespan: Micros): LowerBound =>
  ending === 'drained' && bound.time > makespan ? none : bound

/** Whether each job was served once at each stage, for as long as the scenario says. */
function servesAsDrawn({ scenario, engine, ending }: Trace): boolean {
  const workers = workersEver(scenario)
  return (
    engine === 'simulation' &&
    ending === 'drained' &&
    scenario.workerEvents.length === 0 &&
    scenario.stages.every(({ fails, resource }) => fails === null && resource === null) &&
    (scenario.network !== null ||
      scenario.stages.every(({ work }) => work === 'wait') ||
      phasesOf(scenario).every(({ cores }) => workers <= cores))
  )
}

function greatestBound(scenario: Scenario, given: Jobs): LowerBound {
  // Under another policy clients may give up any job, which then takes no work.
  const nothing = new Float64Array(given.work.length)
  const jobs =
    scenario.source.retry === undefined
      ? given
      : { arrival: given.arrival, work: nothing, burning: nothing, path: nothing, mutex: none }
  const workers = workersEver(scenario)
  const bounds = [releaseBound(jobs, withStartUps(scenario, jobs.work), workers, 'work')]
  // Over a network each worker has a core of its own.
  const cores =
    scenario.network === null ? phasesOf(scenario).reduce((most, held) => Math.max(most, held.cores), 0) : workers
  if (cores < workers) {
    // The simulation rounds a burning job by a hundredth of a microsecond.
    const burnt = jobs.burning.map((work) => Math.max(0, work - 0.01 * scenario.stages.length))
    bounds.push(releaseBound(jobs, burnt, cores, 'cores'))
  }
  bounds.push(pathBound(jobs), jobs.mutex)
  return bounds.reduce((best, bound) => (bound.time > best.time ? bound : best))
}

/** Returns the work with the shortest start-up at every stage, added to the first job. */
function withStartUps(scenario: Scenario, work: Float64Array): Float64Array {
  const { stages, policy, later } = scenario
  const hiring = isElastic(policy) || later.some((phase) => phase.policy !== undefined && isElastic(phase.policy))
  const starting = stages.reduce((sum, { startUp }) => sum + (startUp === null ? 0 : leastService(startUp)), 0)
  // A job that fails or is routed need not reach every stage.
  if (
    starting === 0 ||
    hiring ||
    work.length === 0 ||
    !isLinear(scenario) ||
    stages.some(({ fails }) => fails !== null)
  )
    return work
  const all = work.slice()
  all[0] += starting
  return all
}

/** Returns a time that no draw of a distribution is below. */
function leastService(service: Service): Micros {
  if (service.kind === 'constant') return service.mean
  if (service.kind === 'uniform') return service.min
  if (service.kind === 'bimodal') return Math.min(service.fast, service.slow)
  return service.kind === 'empirical' ? Math.min(...service.values) : 1
}

/** Returns a mean flow time that no schedule beats: no waits. 0 where jobs may fail. */
export function leastFlowOf(scenario: Scenario): Micros {
  const { path } = runToEnd(jobsOf(scenario))
  if (path.length === 0 || scenario.source.retry !== undefined || scenario.stages.some(({ fails }) => fails !== null))
    return 0
  return Math.floor(path.reduce((sum, time) => sum + time, 0) / path.length)
}

/** Returns the bound as a sentence. `write` writes times. */
export function explainBound(
  { name, time, from, work, by, job, group }: LowerBound,
  write: (time: Micros, round?: typeof Math.floor) => string,
): string {
  const earliest = write(time, Math.floor)
  if (name === 'path' && work === 0)
    return t('Job {job} arrives at {from}, so no run can finish earlier.', {
      job: job + 1,
      from: write(from, Math.floor),
    })
  if (name === 'path')
    return t('Job {job} arrives at {from} and takes {work}, so no run can finish before {time}.', {
      job: job + 1,
      from: write(from),
      work: write(work),
      time: earliest,
    })
  if (group !== undefined)
    return t(
      'The group of job {job} ({n, number}) takes {work} at {stage}, one at a time, so no run can finish before {time}.',
      { n: group.jobs, job: job + 1, work: write(work), stage: group.stage, time: earliest },
    )
  const forWorkers =
    name === 'cores'
      ? t('{cores, plural, one {# core} other {# cores}}', { cores: by })
      : t('{n, plural, one {# worker} other {# workers}}', { n: by })
  const values = { from: write(from), work: write(work), whom: forWorkers, time: earliest }
  return from > 0
    ? t('After {from}, {work} of work remain for {whom}, so no run can finish before {time}.', values)
    : t('There is {work} of work for {whom}, so no run can finish before {time}.', values)
}

/** Returns its calculation: '120 ms + 16 s / 8 = 2.12 s'. */
export function boundCalculation({ time, from, work, by }: LowerBound, write: (time: Micros) => string): string {
  return `${from > 0 ? `${write(from)} + ` : ''}${write(work)}${by > 1 ? ` / ${by}` : ''} = ${write(time)}`
}

/** Returns the least service time of each job, with the tries of those that throw and of those that a lost worker had. */
function* jobsOf(scenario: Scenario): Generator<void, Jobs> {
  const arrivals = createArrivals(scenario)
  const times: Micros[] = []
  for (let time = arrivals.next(); time !== NO_MORE; time = arrivals.next()) {
    times.push(time)
    if (times.length % JOBS_A_STEP === 0) yield
  }
  const jobs = {
    arrival: Float64Array.from(times),
    work: new Float64Array(times.length),
    burning: new Float64Array(times.length),
    path: new Float64Array(times.length),
    mutex: none,
  }
  if (isLinear(scenario)) {
    yield* addServices(scenario, jobs)
    jobs.path.set(jobs.work)
  } else yield* addWays(scenario, jobs)
  return jobs
}

/** No bound: any run is longer. */
export const none: LowerBound = { name: 'group', time: 0, from: 0, work: 0, by: 1, job: 0 }

function* addServices(scenario: Scenario, jobs: Jobs): Generator<void, void> {
  const { work, burning } = jobs
  const groups = groupsOf(scenario.source, scenario.seed)
  const services = createServices(scenario)
  const given = new Uint8Array(work.length)
  for (const s of topologyOf(scenario).order) {
    const { fails, work: kind } = scenario.stages[s]
    const failing = new Set(fails?.jobs)
    const groupWork = groups !== null && scenario.stages[s].resource !== null ? new Map<number, GroupWork>() : null
    for (let job = 0; job < work.length; job++) {
      if (job % JOBS_A_STEP === 0) yield
      if (given[job] === 1) continue
      const throws = failing.has(job)
      const service = services.at(s, job) * (throws ? (fails?.tries ?? 1) : 1)
      work[job] += service
      if (kind !== 'wait') burning[job] += service
      if (throws) given[job] = 1
      if (groupWork !== null && groups !== null) join(groupWork, groups[job], job, service)
    }
    // The jobs of groups all arrive at the start.
    for (const { first, length, time } of groupWork?.values() ?? [])
      if (time > jobs.mutex.time)
        jobs.mutex = { ...none, time, work: time, job: first, group: { jobs: length, stage: scenario.stages[s].name } }
  }
}

/** Adds the services by the random routes. A copied job that throws proves nothing. */
function* addWays(scenario: Scenario, jobs: Jobs): Generator<void, void> {
  const { work, burning, path } = jobs
  const { order, ways, before, routes, copies } = topologyOf(scenario)
  const services = createServices(scenario)
  const routeOf = routingOf(scenario)
  const failing = scenario.stages.map(({ fails }) => new Set(fails?.jobs))
  const comes = new Uint8Array(order.length)
  const through = new Float64Array(order.length)
  for (let job = 0; job < work.length; job++) {
    if (job % (JOBS_A_STEP / 16) === 0) yield
    let given = false
    comes.fill(0)
    through.fill(0)
    for (const s of order) {
      if (given || (comes[s] === 0 && before[s].length > 0)) continue
      const { fails, work: kind } = scenario.stages[s]
      given = failing[s].has(job)
      const service = services.at(s, job) * (given ? (fails?.tries ?? 1) : 1)
      work[job] += service
      if (kind !== 'wait') burning[job] += service
      through[s] += service
      path[job] = Math.max(path[job], through[s])
      for (const next of routes[s] === 1 ? [routeOf(s, job)] : ways[s]) {
        comes[next] = 1
        through[next] = Math.max(through[next], through[s])
      }
    }
    if (given && copies) work[job] = burning[job] = path[job] = 0
  }
}

/** The jobs of a group at one stage and how long they take there. */
type GroupWork = { readonly first: number; length: number; time: Micros }

function join(groupWork: Map<number, GroupWork>, group: number, job: number, service: Micros): void {
  const mutex = groupWork.get(group) ?? { first: job, length: 0, time: 0 }
  mutex.length++
  mutex.time += service
  groupWork.set(group, mutex)
}

/** The greatest arrival[k] + (work of jobs k, k + 1, ...) / by. */
function releaseBound({ arrival }: Jobs, works: Float64Array, by: number, name: 'work' | 'cores'): LowerBound {
  let rest = 0
  let time = 0
  let first = arrival.length
  let most = 0
  for (let job = arrival.length - 1; job >= 0; job--) {
    rest += works[job]
    const bound = arrival[job] + Math.ceil(rest / by)
    if (rest <= 0 || bound < time) continue
    time = bound
    first = job
    most = rest
  }
  return first < arrival.length
    ? { name, time, from: arrival[first], work: most, by, job: first }
    : { ...none, name, by }
}

function pathBound({ arrival, path }: Jobs): LowerBound {
  let time = 0
  let last = -1
  for (let job = 0; job < path.length; job++) {
    const way = arrival[job] + path[job]
    if (way <= time) continue
    time = way
    last = job
  }
  return last >= 0
    ? { name: 'path', time, from: arrival[last], work: path[last], by: 1, job: last }
    : { ...none, name: 'path' }
}
