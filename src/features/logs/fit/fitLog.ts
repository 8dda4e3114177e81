import { t } from '../../../language/translate.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { countText, listed, quoted } from '../../../scenario/model/words.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import { fixed } from '../../../views/drawing/format.ts'
import { createRandom, randomKey } from '../../../workload/random.ts'
import type { SystemLog } from '../read/log.ts'
import { arrivalRates, arrivalsCounted, dispersionOf, queuedRates } from './arrivalRates.ts'
import { type Comparison, compareWithLog, type Gap, isNear, type StageComparison, unexplainedIn } from './comparison.ts'
import { capacityOfLog, FULL_FROM, type KnownSpread, spreadOfLog, spreadSentence } from './facts.ts'
import { EXPONENTIAL, earlyJobs, type Guess, type LoggedFacts, scenarioOfGuess, spreads, TooManyJobs } from './guess.ts'
import {
  crewsOf,
  meanOf,
  type Samples,
  type StageSamples,
  type Stretch,
  samplesOf,
  serviceMeans,
  workUntil,
} from './samples.ts'
import { stageOrderOf } from './stageOrder.ts'
import type { DayArrivals } from './whatIf.ts'

/** A scenario that reproduces a log, and how well. */
export interface Fit {
  readonly scenario: Scenario
  readonly stages: readonly StageComparison[]
  /** The times of the log, and by stage its queues and those of the run at these times. */
  readonly time: Float64Array
  readonly logged: readonly Float64Array[]
  readonly played: readonly Float64Array[]
  /** The stretches that the run does not explain. */
  readonly gaps: readonly Gap[]
  /** In jobs per second, from each time on. */
  readonly rates: readonly (readonly [Micros, number])[]
  /** How jobs arrive on other days like this one. */
  readonly arrivals: DayArrivals
  /** What the fit assumes, in sentences. */
  readonly assumed: readonly string[]
  readonly runs: number
}

interface FitOptions {
  /** The names of the stages along the pipeline; null: as the counts tell it, or in order of appearance. */
  readonly order?: readonly string[] | null
  readonly onProgress?: (share: number) => void
}

/** Thrown if it is not clear in which order jobs pass the stages. */
export class UnclearOrder extends Refusal {
  /** The names of the stages in the likeliest order. */
  readonly guess: readonly string[]

  constructor(message: string, guess: readonly string[]) {
    super('stage', message)
    this.guess = guess
  }
}

/** The fit that a thread returns, or why there is none. */
export type FitAnswer =
  | { readonly kind: 'fitted'; readonly fit: Fit }
  /** `unclear`: another order of the stages may work, such as the guess. `part`: the log has too many jobs, and this part has few enough. */
  | {
      readonly kind: 'refused'
      readonly message: string
      readonly unclear: boolean
      readonly guess?: readonly string[]
      readonly part?: readonly [Micros, Micros]
    }

/** The jobs that leave one stage and arrive at the next may differ by this share. */
const LEAKS = 0.15

/** Returns the scenario of a log: its stages, arrivals, service times and workers. Throws a Refusal for a log that cannot be fitted. */
export async function fitLog(log: SystemLog, { order = null, onProgress = () => {} }: FitOptions = {}): Promise<Fit> {
  const samples = order === null ? inOrder(samplesOf(log, null), log) : samplesOf(log, order)
  const { pieces: arrivals, smooth, came } = arrivalRates(samples)
  const isCounted = came !== null
  const { crews, exact } = crewsOf(samples)
  const known = samples.stages.map(spreadOfLog)
  const work = samples.stages.map((stage, s) =>
    isCounted && meanOf(stage.queue, 0, stage.queue.length - 1) >= LONG
      ? workUntil(stage, samples.time, nextFullAt(samples, s))
      : null,
  )
  const frame: LoggedFacts = { samples, arrivals, came, services: samples.stages.map(serviceMeans), work, crews, known }
  const first: Guess = {
    rates: arrivals.map(({ value }) => value),
    spreads: samples.stages.map(() => EXPONENTIAL),
    paces: samples.stages.map(() => 1),
    capacities: samples.stages.map((_, s) =>
      fullAt(samples, s)?.clear ? (fullAt(samples, s)?.capacity ?? null) : null,
    ),
    seed: 1,
  }
  const { best, spreadFitted, runs } = await search(frame, first, isCounted, onProgress)
  const { guess, comparison } = best
  const early = earlyJobs(samples)
  const [, ...later] = early
  const rates = arrivals.map(({ from }, k) => [samples.time[from], guess.rates[k]] as const)
  const end = samples.time[samples.time.length - 1]
  const dispersion = came === null ? 1 : dispersionOf(samples, came, jobsAt(samples, smooth))
  const daily = came === null ? rates : smooth.map(({ from, value }) => [samples.time[from], value] as const)
  const assumed = [
    order === null
      ? t('Order of the stages: {names}.', { names: samples.stages.map(({ name }) => name).join(', ') })
      : '',
    isCounted
      ? t('The arrivals are those that the log counts.')
      : t('Arrivals are random, at rates that follow from queues, service times and workers.'),
    work.some((each) => each !== null) ? t('The services take as long as the log counts.') : '',
    dispersion > 1
      ? t('Jobs come in bursts, {dispersion} times as variable as independent jobs.', {
          dispersion: fixed(dispersion, 1),
        })
      : '',
    ...samples.stages.map(({ name }, s) =>
      spreadOf(name, spreads[guess.spreads[s]].name(), known[s] ?? spreadFitted[s], guess.paces[s]),
    ),
    ...samples.stages.map(({ name }, s) =>
      guess.capacities[s] === null
        ? ''
        : t('{name}: at most {capacity} jobs wait, then the stage before waits.', {
            name,
            capacity: countText(guess.capacities[s] ?? 0),
          }),
    ),
    exact ? '' : t('The numbers of workers are means over equal periods.'),
    later.some((jobs) => jobs > 0) ? t('Jobs that wait when the log begins arrive at time 0.') : '',
  ]
  return {
    scenario: scenarioOfGuess(frame, guess),
    stages: comparison.stages,
    time: samples.time,
    logged: samples.stages.map(({ queue }) => queue),
    played: comparison.queues,
    gaps: comparison.stages.flatMap((stage) => unexplainedIn(stage, samples.time)),
    rates,
    arrivals: {
      ...{
        early: early.reduce((sum, each) => sum + each, 0),
        rates: daily,
        end,
        dispersion,
        interval: end / (samples.time.length - 1),
      },
      services: scenarioOfGuess(frame, guess, true).stages,
      errors: {
        rates:
          came === null
            ? []
            : smooth.map(({ value, variance }) =>
                Math.min(MAX_ERROR, Math.sqrt(dispersion * variance) / Math.max(value, 1e-9)),
              ),
        services:
          came === null
            ? []
            : frame.services.map((pieces) =>
                pieces.map(({ value, variance }) => Math.min(MAX_ERROR, Math.sqrt(variance) / value)),
              ),
      },
    },
    assumed: assumed.filter((text) => text !== ''),
    runs,
  }
}

/** Returns the fit, or why there is none. */
export async function fitAnswer(log: SystemLog, options: FitOptions): Promise<FitAnswer> {
  try {
    return { kind: 'fitted', fit: await fitLog(log, options) }
  } catch (error) {
    if (error instanceof UnclearOrder)
      return { kind: 'refused', message: error.message, unclear: true, guess: error.guess }
    if (error instanceof TooManyJobs)
      return { kind: 'refused', message: error.message, unclear: false, part: [error.from, error.to] }
    if (error instanceof Refusal) return { kind: 'refused', message: error.message, unclear: false }
    throw error
  }
}

/** From this mean on, a queue follows from what its services took on this day; of a shorter one the samples show too little. */
const LONG = 0.1
/** Means of other days err by at most this share. */
const MAX_ERROR = 0.2

const fullAt = ({ stages, time }: Samples, s: number) =>
  s === 0 ? null : capacityOfLog(stages[s], stages[s - 1], time)

/** Returns whether the stage after one may have been full between a sample and the one before. */
function nextFullAt(samples: Samples, s: number): (sample: number) => boolean {
  const queue = samples.stages[s + 1]?.queue
  const full = queue === undefined ? null : fullAt(samples, s + 1)
  return full === null ? () => false : (k) => Math.max(queue[k - 1], queue[k]) >= FULL_FROM * full.capacity
}

/** Returns the jobs that arrive until a sample at the rates of some stretches. */
function jobsAt({ time }: Samples, arrivals: readonly Stretch[]): (sample: number) => number {
  return (sample) =>
    arrivals.reduce(
      (sum, { from, to, value }) =>
        sum + (value * Math.max(0, time[Math.min(to, sample)] - time[Math.min(from, sample)])) / 1e6,
      0,
    )
}

function spreadOf(name: string, spread: string, fitted: boolean | KnownSpread, pace: number): string {
  const known =
    typeof fitted === 'object'
      ? spreadSentence(name, fitted)
      : fitted
        ? t('{name}: service times fitted as {spread}', { name, spread })
        : t('{name}: service times assumed to be {spread}', { name, spread })
  return Math.abs(pace - 1) < 0.005 ? `${known}.` : t('{known}; means times {pace}.', { known, pace: pace.toFixed(2) })
}

/**
 * Returns the samples along the pipeline, if the counts allow one order alone, or if the log lists its stages in an order that they allow.
 * Throws UnclearOrder if it has to be said.
 */
function inOrder(samples: Samples, log: SystemLog): Samples {
  const { order, certain, counted, asListed } = stageOrderOf(samples, log)
  if (certain) return { ...samples, stages: order.map((s) => samples.stages[s]) }
  const guess = order.map((s) => samples.stages[s].name)
  const names = samples.stages.map(({ name }) => name)
  if (!log.isSorted) checkLine(samples.stages, counted ? guess : names)
  const isGuessed = guess.every((name, s) => name === names[s])
  const isAlphabetical = names.every((name, s) => s === 0 || names[s - 1] < name)
  if (!log.isSorted && (!counted || isGuessed || (asListed && !isAlphabetical))) return samples
  const values = { guess: listed(guess.map(quoted)) }
  throw new UnclearOrder(
    t(
      'the log does not tell the order of the stages, perhaps {guess}; say in which order the stages follow each other',
      values,
    ),
    guess,
  )
}

/** Throws UnclearOrder if the counts contradict the order of the stages. */
function checkLine(stages: readonly StageSamples[], guess: readonly string[]): void {
  for (const [k, stage] of stages.slice(1).entries()) {
    const before = stages[k]
    const came = arrivalsCounted(stage)?.at(-1)
    const earlier = arrivalsCounted(before)?.at(-1)
    if (came === undefined || earlier === undefined) continue
    const left = earlier - (before.queue[before.queue.length - 1] - before.queue[0])
    if (Math.abs(came - left) <= LEAKS * Math.max(came, left, 50)) continue
    throw new UnclearOrder(
      t(
        '{left, number} jobs left {before}, but {came, number} came to {stage}; say in which order the stages follow each other',
        {
          left: Math.round(left),
          came: Math.round(came),
          before: quoted(before.name),
          stage: quoted(stage.name),
        },
      ),
      guess,
    )
  }
}

/** A guess, and how its run compares with the log. */
interface Tried {
  readonly guess: Guess
  readonly comparison: Comparison
  /** The distance to the log, plus a penalty for departing from its facts. */
  readonly score: number
}

/** The services of all runs together, and the limits of the number of runs. */
const SERVICE_BUDGET = 3_000_000
const [MIN_RUNS, MAX_RUNS] = [24, 160]
/** After this many runs a near one is good enough. */
const ENOUGH = 70
const CORRECTIONS = 5
/** How many seeds are averaged to compare spreads. */
const SEEDS = 3
/** A spread counts as fitted if the runs with others are this much further from the log. */
const CLEAR_RATIO = 1.25
/** What an unexplained stretch adds to the distance where the arrivals are counted, so that the rates cannot explain it. */
const GAP = 0.02

/**
 * Corrects a first guess by playing it: the rates, the spread of the services, and the seed. The same log gives the same result.
 * Returns also, by stage, whether the spread of its service times was fitted. `onProgress` is called with the share that is done.
 */
export async function search(frame: LoggedFacts, first: Guess, counted: boolean, onProgress: (share: number) => void) {
  const services = countJobs(scenarioOfGuess(frame, first).source) * frame.samples.stages.length
  const budget = Math.round(Math.min(MAX_RUNS, Math.max(MIN_RUNS, SERVICE_BUDGET / Math.max(1, services))))
  let runs = 0
  const gapsIn = (comparison: Comparison) =>
    comparison.stages.reduce((sum, stage) => sum + unexplainedIn(stage, frame.samples.time).length, 0)
  const attempt = async (guess: Guess): Promise<Tried> => {
    const comparison = await compareWithLog(frame.samples, scenarioOfGuess(frame, guess))
    onProgress(Math.min(1, ++runs / budget))
    return {
      guess,
      comparison,
      score: comparison.distance + penalty(frame, guess) + (counted ? GAP * gapsIn(comparison) : 0),
    }
  }
  let best = await attempt(first)
  const better = (other: Tried) => {
    if (other.score < best.score) best = other
  }
  const correct = async () => {
    let now = best
    for (let k = 0; k < CORRECTIONS && !counted; k++) {
      now = await attempt({ ...now.guess, rates: correctedRates(frame, now) })
      better(now)
    }
  }
  await correct()
  // A queue that may be full is bounded if the runs then come clearly nearer to the log.
  for (const s of frame.samples.stages.keys()) {
    const full = best.guess.capacities[s] === null ? fullAt(frame.samples, s) : null
    if (full === null) continue
    const bounded = {
      ...best.guess,
      capacities: best.guess.capacities.map((each, k) => (k === s ? full.capacity : each)),
    }
    const [without, within] = [await meanScore(best.guess, attempt), await meanScore(bounded, attempt)]
    if (within * CLEAR_RATIO < without) best = await attempt(bounded)
  }
  const spreadFitted: boolean[] = []
  for (const s of frame.samples.stages.keys()) {
    if (frame.known[s] !== null) {
      spreadFitted.push(false)
      continue
    }
    const { guess, fitted } = await chooseSpread(best.guess, s, attempt)
    spreadFitted.push(fitted)
    best = await attempt(guess)
  }
  await correct()
  const isExplained = (comparison: Comparison) => isNear(comparison) && (!counted || gapsIn(comparison) === 0)
  const random = createRandom(1, randomKey('fit'))
  while (runs < budget && (runs < ENOUGH || !isExplained(best.comparison)))
    better(await attempt(changed(best.guess, runs, frame, (draw) => random(runs, draw))))
  onProgress(1)
  return { best, spreadFitted, runs }
}

/** Returns the penalty of a guess for departing from the facts of the log. */
function penalty({ arrivals }: LoggedFacts, { rates, paces }: Guess): number {
  const ofRates =
    rates.reduce((sum, rate, k) => sum + ((rate - arrivals[k].value) / Math.max(1e-9, arrivals[k].value)) ** 2, 0) /
    rates.length
  return paces.reduce((sum, pace) => sum + 4 * (pace - 1) ** 2, 0) + 0.1 * ofRates
}

/** Returns rates that should give the queues of the log: the estimate is assumed to miss the log by as much as it missed the run. */
function correctedRates({ samples, arrivals }: LoggedFacts, { guess, comparison }: Tried): number[] {
  const played = {
    time: samples.time,
    stages: samples.stages.map((stage, s) => ({ ...stage, queue: comparison.queues[s] })),
  }
  const bounds = [...arrivals.map(({ from }) => from), samples.time.length - 1]
  const [logged, run] = [samples, played].map((of) => queuedRates(of, bounds))
  return guess.rates.map(
    (rate, k) => rate * Math.min(1.3, Math.max(0.75, 1 + 0.7 * (logged[k].value / run[k].value - 1))),
  )
}

/** Returns the mean distance of the runs of a guess with some seeds. */
async function meanScore(guess: Guess, attempt: (guess: Guess) => Promise<Tried>): Promise<number> {
  let sum = 0
  for (let n = 0; n < SEEDS; n++) sum += (await attempt({ ...guess, seed: n + 1 })).score
  return sum / SEEDS
}

/** Tries wider and narrower service times at a stage while the runs come clearly nearer to the log. */
async function chooseSpread(
  from: Guess,
  stage: number,
  attempt: (guess: Guess) => Promise<Tried>,
): Promise<{ guess: Guess; fitted: boolean }> {
  const known = new Map<number, number>()
  const withSpread = (k: number) => ({ ...from, spreads: from.spreads.map((each, s) => (s === stage ? k : each)) })
  const distance = async (k: number) => {
    const before = known.get(k)
    if (before !== undefined) return before
    if (k < 0 || k >= spreads.length) return Infinity
    const mean = await meanScore(withSpread(k), attempt)
    known.set(k, mean)
    return mean
  }
  let k = EXPONENTIAL
  for (const step of [-1, 1]) while ((await distance(k + step)) * CLEAR_RATIO < (await distance(k))) k += step
  const others = Array.from(known).filter(([other]) => other !== k)
  const fitted = others.every(([, each]) => each > CLEAR_RATIO * (known.get(k) ?? 0))
  return { guess: withSpread(k), fitted }
}

/** Returns the guess with a new seed, new rates or new service times, in turn. */
function changed(guess: Guess, turn: number, { came, work }: LoggedFacts, draw: (n: number) => number): Guess {
  const isCounted = came !== null
  const seed = 2 + Math.floor(draw(0) * 1_000_000)
  const about = (width: number, n: number) => 1 + width * (2 * draw(n) - 1)
  // Counted arrivals stay as they are.
  if (turn % 4 === 0 || (isCounted && turn % 2 === 0) || work.every((each) => each !== null)) return { ...guess, seed }
  if (turn % 4 === 1 && !isCounted) return { ...guess, rates: guess.rates.map((rate) => rate * about(0.06, 1)) }
  if (turn % 4 === 2) return { ...guess, rates: guess.rates.map((rate, k) => rate * about(0.08, 2 + k)) }
  return {
    ...guess,
    paces: guess.paces.map((pace, s) =>
      work[s] !== null ? pace : Math.min(1.1, Math.max(0.9, pace * about(0.03, 2 + s))),
    ),
  }
}
