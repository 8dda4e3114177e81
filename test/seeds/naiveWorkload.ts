import type { Scenario, Service, Source } from '../../src/scenario/model/scenario.ts'
import { createArrivals, NO_MORE } from '../../src/workload/arrivals.ts'
import { classingOf, createServices, patienceOf, routingOf } from '../../src/workload/service.ts'
import { claim } from './claim.ts'

/** Whole microseconds: computed values are rounded. */
const ROUNDED = 0.5 + 1e-6

/** Compares arrivals and service times with the plain formulas. */
/** Returns the class of each job: that on which its random number falls, with the weights laid end to end. */
export function naiveClassOf({ source: { classes = [1] }, seed }: Scenario): (job: number) => number {
  const ends = classes.map((_, k) => classes.slice(0, k + 1).reduce((sum, weight) => sum + weight, 0))
  return (job) => {
    const place = naiveRandom(seed, 'source class', job, 0) * ends[ends.length - 1]
    const found = ends.findIndex((end) => place < end)
    return found < 0 ? ends.length - 1 : found
  }
}

export function workloadMatches(scenario: Scenario, jobs: number): void {
  const { source, stages, seed } = scenario
  const times = naiveArrivals(source, seed)
  const arrivals = createArrivals(scenario)
  times?.forEach((time, job) => {
    const drawn = arrivals.next()
    claim(Math.abs(drawn - time) <= ROUNDED, () => `job ${job} arrives at ${drawn} instead of ${time}`)
  })
  if (times !== null) claim(arrivals.next() === NO_MORE, () => `more than ${times.length} jobs arrive`)
  const services = createServices(scenario)
  const patience = patienceOf(scenario)
  const { retry } = source
  if (retry !== undefined)
    for (let key = 0; key < jobs * (retry.limit + 1); key++) {
      const [job, nth] = [key % jobs, Math.floor(key / jobs)]
      const time = Math.max(
        1,
        naiveService(retry.after, (draw) => naiveRandom(seed, 'source patience', nth * 1_000_000 + job, draw)),
      )
      const drawn = patience(job, nth)
      claim(
        Math.abs(drawn - time) <= (Number.isInteger(time) ? 0 : ROUNDED),
        () => `a client waits ${drawn} for job ${job} at try ${nth} instead of ${time}`,
      )
    }
  const [classOf, naiveClass] = [classingOf(scenario), naiveClassOf(scenario)]
  for (let job = 0; job < jobs; job++)
    claim(
      classOf(job) === naiveClass(job),
      () => `job ${job} is of class ${classOf(job)} instead of ${naiveClass(job)}`,
    )
  const routeOf = routingOf(scenario)
  stages.forEach(({ id, service, changes, fanOut }, s) => {
    const ways =
      fanOut === 'copy'
        ? null
        : stages.flatMap((stage, to) =>
            Object.hasOwn(fanOut.route, stage.id) ? [{ to, weight: fanOut.route[stage.id] }] : [],
          )
    for (let job = 0; job < jobs; job++) {
      const cost = Math.max(
        1,
        naiveService(changes.filter(({ from }) => from <= job).at(-1)?.service ?? service, (draw) =>
          naiveRandom(seed, id, job, draw),
        ),
      )
      claim(
        Math.abs(services.at(s, job) - cost) <= (Number.isInteger(cost) ? 0 : ROUNDED),
        () => `job ${job} costs ${services.at(s, job)} at stage ${s} instead of ${cost}`,
      )
      if (ways === null) continue
      const share = naiveRandom(seed, `${id} routes`, job, 0) * ways.reduce((sum, { weight }) => sum + weight, 0)
      const way =
        ways.find((_, i) => share < ways.slice(0, i + 1).reduce((sum, { weight }) => sum + weight, 0)) ??
        ways[ways.length - 1]
      claim(
        routeOf(s, job) === way.to,
        () => `job ${job} goes from stage ${s} to ${routeOf(s, job)} instead of ${way.to}`,
      )
    }
  })
}

/** Not rounded, by inversion of each distribution function; uniform values are whole. */
function naiveService(service: Service, random: (draw: number) => number): number {
  switch (service.kind) {
    case 'constant':
      return service.mean
    case 'uniform':
      return service.min + Math.floor(random(0) * (service.max - service.min + 1))
    case 'exponential':
      return -service.mean * Math.log(1 - random(0))
    case 'erlang':
      return Array.from(
        { length: service.k },
        (_, phase) => (-service.mean / service.k) * Math.log(random(phase)),
      ).reduce((sum, time) => sum + time, 0)
    case 'pareto':
      return ((service.mean * (service.alpha - 1)) / service.alpha) * (1 - random(0)) ** (-1 / service.alpha)
    case 'bimodal':
      return random(0) < 1 - service.pSlow ? service.fast : service.slow
    case 'empirical':
      return service.values[Math.floor(random(0) * service.values.length)]
    default:
      throw new Error(`the games draw no ${service.kind} services`)
  }
}

/** Null for sources that the games do not compute again. */
function naiveArrivals(source: Source, seed: number): number[] | null {
  if (source.kind === 'times') return [...source.at].sort((a, b) => a - b)
  if (source.kind !== 'poisson' && source.kind !== 'regular' && source.kind !== 'bursts') return null
  let level = 0
  return Array.from({ length: source.jobs }, (_, job) => {
    if (source.kind === 'regular') return (job / source.rate) * 1e6
    level -= Math.log(naiveRandom(seed, 'source', job, 0))
    if (source.kind === 'poisson') return (level / source.rate) * 1e6
    // Steps through the calm and busy periods until enough jobs have arrived.
    let left = level
    for (let start = 0; ; start += source.off + source.on) {
      const calm = (source.off * source.rate) / 1e6
      const busy = (source.on * source.burstRate) / 1e6
      if (left < calm) return start + (left * 1e6) / source.rate
      if (left < calm + busy) return start + source.off + ((left - calm) * 1e6) / source.burstRate
      left -= calm + busy
    }
  })
}

/** The number in (0, 1) of an id, a job and a draw, as src/workload/random.ts describes it, on big integers. */
function naiveRandom(seed: number, id: string, job: number, draw: number): number {
  let key = 0x811c9dc5n
  for (const unit of Array.from({ length: id.length }, (_, i) => id.charCodeAt(i)))
    key = low((key ^ BigInt(unit)) * 0x01000193n)
  const golden = 0x9e3779b1n
  const other = 0x85ebca77n
  const first = mixed(mixed(low(BigInt(seed)) ^ golden) + mixed(key))
  const second = mixed(first + golden)
  const third = mixed(second + other)
  const middle = mixed(BigInt(job) ^ first)
  const upper = mixed((middle ^ second) + BigInt(draw) * golden)
  const lower = mixed((middle ^ third) + BigInt(draw) * other)
  return (Number(upper) * 2 ** 20 + Number(lower >> 12n) + 0.5) / 2 ** 52
}

const low = (x: bigint): bigint => BigInt.asUintN(32, x)

function mixed(value: bigint): bigint {
  let x = low(value)
  x = low((x ^ (x >> 16n)) * 0x7feb352dn)
  x = low((x ^ (x >> 15n)) * 0x846ca68bn)
  return x ^ (x >> 16n)
}
