import { min, pairs } from 'd3-array'
import { t } from '../../../language/translate.ts'
import { MAX_JOBS, MAX_SERVICES, MIN_RATE } from '../../../scenario/model/limits.ts'
import type { Micros, Scenario, Service, Source, Stage } from '../../../scenario/model/scenario.ts'
import { countText } from '../../../scenario/model/words.ts'
import { parse } from '../../../scenario/parse/parse.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { fixed } from '../../../views/drawing/format.ts'
import { createRandom, randomKey } from '../../../workload/random.ts'
import { following, type KnownSpread, serviceWithCv } from './facts.ts'
import { type Crew, mostWorkers, type Samples, type Stretch } from './samples.ts'

/** The facts of the log, which stay fixed during the search. */
export interface LoggedFacts {
  readonly samples: Samples
  readonly arrivals: readonly Stretch[]
  /** The counted arrivals until each sample, which every run has; null if the log does not count them. */
  readonly came: Float64Array | null
  /** By stage: its mean service times. */
  readonly services: readonly (readonly Stretch[])[]
  /** By stage: how long its services took together until each sample, which every run follows; null where the log does not count them. */
  readonly work: readonly (Float64Array | null)[]
  readonly crews: readonly Crew[]
  /** By stage: the spread of its service times; null where the log does not tell it. */
  readonly known: readonly (KnownSpread | null)[]
}

/** The variables of the search. */
export interface Guess {
  /** By piece of the arrivals, in jobs per second. */
  readonly rates: readonly number[]
  /** By stage: an index of `spreads`, and a factor of the logged service times. */
  readonly spreads: readonly number[]
  readonly paces: readonly number[]
  /** By stage: how many jobs its queue holds; null: without bound. */
  readonly capacities: readonly (number | null)[]
  readonly seed: number
}

/** Distributions of service times, from no spread to a wide one. */
export const spreads: readonly { readonly name: () => string; readonly of: (mean: Micros) => Service }[] = [
  { name: () => t('constant'), of: (mean) => ({ kind: 'constant', mean }) },
  { name: () => `${t('Erlang')}, k = 4`, of: (mean) => ({ kind: 'erlang', mean, k: 4 }) },
  { name: () => t('exponential'), of: (mean) => ({ kind: 'exponential', mean }) },
  {
    name: () => t('lognormal, coefficient of variation {cv}', { cv: fixed(1.6, 1) }),
    of: (mean) => ({ kind: 'lognormal', mean, cv: 1.6 }),
  },
  {
    name: () => t('lognormal, coefficient of variation {cv}', { cv: fixed(2.5, 1) }),
    of: (mean) => ({ kind: 'lognormal', mean, cv: 2.5 }),
  },
]
export const EXPONENTIAL = 2

/** Up to this many jobs have random arrival times, one by one. More jobs arrive evenly at the rates. */
const MAX_LISTED = 50_000
/** Fewer jobs that wait in later stages at the start of the log are left out. */
const FEW = 3
const SECOND = 1e6
/** At most this many stretches of jobs have a mean of their own, at one stage and at all together, so that links stay short. */
const [MAX_STRETCHES, ALL_STRETCHES] = [64, 256]
/** A suggested part has at least this many samples. */
const MIN_PART = 20
/** Of this many jobs or fewer the times are rounded to this share of their mean distance; of twice as many half as finely, so that links stay short. */
const [FINELY, FINENESS] = [1200, 5]

/** Thrown if a log has more jobs than a scenario may have. */
export class TooManyJobs extends Refusal {
  /** The part around the longest queues that has few enough. */
  readonly from: Micros
  readonly to: Micros

  constructor(jobs: number, most: number, [from, to]: readonly [Micros, Micros]) {
    super(
      '',
      t('the log contains about {jobs} jobs; allowed: {most}. Fit a part of it', {
        jobs: countText(jobs),
        most: countText(most),
      }),
    )
    this.from = from
    this.to = to
  }
}

/** Returns the part around the longest queues whose jobs can be listed one by one, but not less than `MIN_PART` samples. */
function fittingPart({ time, stages }: Samples, arrivedUntil: (sample: number) => number): readonly [Micros, Micros] {
  const waiting = time.map((_, k) => stages.reduce((sum, { queue }) => sum + queue[k], 0))
  let [from, to] = [0, 0]
  for (let k = 0; k < waiting.length; k++) if (waiting[k] > waiting[from]) from = to = k
  for (let isWider = true; isWider; ) {
    isWider = false
    for (const [a, b] of [
      [from - 1, to],
      [from, to + 1],
    ])
      if (a >= 0 && b < time.length && (b - a < MIN_PART || arrivedUntil(b) - arrivedUntil(a) <= MAX_LISTED)) {
        from = Math.min(from, a)
        to = Math.max(to, b)
        isWider = true
      }
  }
  return [time[from], time[to]]
}

/**
 * Returns the scenario of a guess; `typical`: with service times as on any such day, without what this day took by chance. Throws a Refusal if
 * it is outside the bounds of scenarios.
 */
export function scenarioOfGuess(frame: LoggedFacts, guess: Guess, typical = false): Scenario {
  const { samples, services, crews } = frame
  const [early, there] = [earlyJobs(samples), jobsAtFirst(samples)]
  const earlyTotal = early.reduce((sum, jobs) => sum + jobs, 0)
  const source = sourceOf(frame, guess, earlyTotal)
  const ids = stageIds(samples.stages.map(({ name }) => name))
  const arrivedUntil = jobsUntil(frame, guess)
  const most = Math.max(1, Math.min(MAX_STRETCHES, Math.floor(ALL_STRETCHES / samples.stages.length)))
  const stages = samples.stages.map(({ name }, s): Partial<Stage> => {
    const missing = there.slice(0, s + 1).reduce((sum, jobs, k) => sum + jobs - early[k], 0)
    const passing = early.slice(s + 1).reduce((sum, jobs) => sum + jobs, 0)
    const serviceOf = (value: number): Service => {
      const mean = Math.max(1, Math.round(value * guess.paces[s]))
      const spread = frame.known[s]
      return spread === null ? spreads[guess.spreads[s]].of(mean) : serviceWithCv(mean, spread.cv)
    }
    const work = typical ? null : frame.work[s]
    const followed =
      work &&
      following(
        samples.stages[s],
        work,
        { passing, missing, most },
        serviceOf,
        createRandom(guess.seed, randomKey(ids[s])),
      )
    const logged = services[s].map(({ from, value }) => {
      const ahead = samples.stages.slice(0, s + 1).reduce((sum, { queue }) => sum + queue[from], 0)
      return {
        from: from === 0 ? passing : Math.max(passing + 1, Math.round(earlyTotal + arrivedUntil(from) - ahead)),
        service: serviceOf(value),
      }
    })
    const ascending =
      followed ?? logged.filter(({ from }, k) => logged.slice(k + 1).every((later) => later.from > from))
    const all = passing > 0 ? [{ from: 0, service: { kind: 'constant', mean: 1 } as const }, ...ascending] : ascending
    return { id: ids[s], name, service: all[0].service, changes: all.slice(1), capacity: guess.capacities[s] }
  })
  const policies = crews.map(({ at, workers }) => ({
    at,
    policy: { kind: 'fixed', allocation: Object.fromEntries(ids.map((id, s) => [id, workers[s]])) },
  }))
  const [{ policy }, ...later] = policies
  const parsed = parse({
    version: 1,
    title: t('Fitted to a log'),
    seed: guess.seed,
    source,
    stages,
    workers: mostWorkers(crews),
    policy,
    later,
  })
  if ('problems' in parsed) throw new Refusal(parsed.problems[0].path, parsed.problems[0].message)
  return parsed.scenario
}

/** Returns by stage the jobs that a run begins with. A few jobs in later stages are left out. */
export function earlyJobs(samples: Samples): number[] {
  const there = jobsAtFirst(samples)
  return samples.stages.slice(1).some(({ queue }) => queue[0] >= FEW)
    ? there
    : there.map((jobs, s) => (s === 0 ? jobs : 0))
}

/** Returns by stage the jobs that wait or are in service at the first sample. If jobs wait, each worker serves one; if none waits, the counts tell. */
function jobsAtFirst({ stages }: Samples): number[] {
  return stages.map(({ queue, workers, completed, busy }, s) => {
    const came = s === 0 ? null : stages[s - 1].completed
    if (busy !== null || queue[0] > 0) return queue[0] + (busy?.[0] ?? workers[0])
    if (completed === null || came === null) return 0
    // The jobs at first are those that left, wait or are in service, without those that came. Those in service are not counted: the largest sum is nearest.
    const there = completed.reduce((most, left, k) => Math.max(most, left - came[k] + queue[k]), 0)
    return Math.min(workers[0], there)
  })
}

/** Returns the arrivals until a sample: those that were counted, or at the guessed rates. */
function jobsUntil({ samples, arrivals, came }: LoggedFacts, { rates }: Guess): (sample: number) => number {
  if (came !== null) return (sample) => came[sample]
  return (sample) =>
    arrivals.reduce((sum, { from, to }, k) => {
      const until = Math.min(to, sample)
      return until > from ? sum + (rates[k] * (samples.time[until] - samples.time[from])) / SECOND : sum
    }, 0)
}

function sourceOf(frame: LoggedFacts, guess: Guess, earlyTotal: number): Source {
  const { samples, arrivals } = frame
  const arrivedUntil = jobsUntil(frame, guess)
  const jobs = earlyTotal + Math.round(arrivedUntil(samples.time.length - 1))
  const most = Math.min(MAX_JOBS, Math.floor(MAX_SERVICES / samples.stages.length))
  if (jobs < 1) throw new Refusal('', t('the log contains no jobs'))
  if (jobs > most) throw new TooManyJobs(jobs, most, fittingPart(samples, arrivedUntil))
  if (frame.came === null && earlyTotal === 0 && arrivals.length === 1)
    return { kind: 'poisson', rate: guess.rates[0], jobs }
  if (jobs > MAX_LISTED) {
    const steps = arrivals.map(
      ({ from }, k) =>
        [
          k === 0 ? earlyTotal : Math.max(earlyTotal + k, samples.time[from]),
          Math.max(MIN_RATE, guess.rates[k]),
        ] as const,
    )
    return { kind: 'steps', at: earlyTotal > 0 ? [[0, SECOND], ...steps] : steps, jobs }
  }
  const random = createRandom(guess.seed, randomKey('source'))
  const at = Array.from({ length: earlyTotal }, () => 0)
  const unit = unitOf(samples.time, jobs)
  const stretches =
    frame.came === null ? arrivals : Array.from({ length: samples.time.length - 1 }, (_, k) => ({ from: k, to: k + 1 }))
  for (const { from, to } of stretches) {
    // Given their number, the times of a Poisson process are independent and uniform.
    const [first, width] = [samples.time[from], samples.time[to] - samples.time[from]]
    for (let until = earlyTotal + Math.round(arrivedUntil(to)); at.length < until; )
      at.push(rounded(first + width * random(at.length, 0), first + width, unit))
  }
  return { kind: 'times', at: Array.from(Float64Array.from(at).sort()) }
}

/**
 * Returns the unit of arrival times. Between two samples a log does not tell when jobs arrive, so what is finer than their distance
 * says nothing: gaps of few units make short links.
 */
function unitOf(time: Float64Array, jobs: number): Micros {
  const span = time[time.length - 1] - time[0]
  const fineness = Math.min(FINENESS, Math.max(2, (FINENESS * FINELY) / jobs))
  const gaps = pairs(Array.from(time), (from, to) => to - from)
  const wanted = Math.min(span / jobs / fineness, (min(gaps) ?? 1) / 4)
  // Of two digits: a finer one than wanted makes each gap longer to write.
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, wanted))) - 1)
  return Math.max(1, Math.floor(wanted / power) * power)
}

/** Returns a time in whole units, before the sample whose time is `end`. Samples are further apart than units. */
function rounded(time: Micros, end: Micros, unit: Micros): Micros {
  const whole = Math.ceil(time / unit) * unit
  return whole < end ? whole : Math.floor(time / unit) * unit
}

/** Returns the names if they are valid ids, numbered ids if not. */
function stageIds(names: readonly string[]): string[] {
  const fit = names.every((name) => /^[A-Za-z0-9.-]{1,40}$/.test(name) && !['source', 'sink'].includes(name))
  return names.map((name, s) => (fit ? name : `stage-${s + 1}`))
}
