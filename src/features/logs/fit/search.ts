import { countJobs } from '../../../scenario/model/sources.ts'
import { createRandom, randomKey } from '../../../workload/random.ts'
import { queuedRates } from './arrivalRates.ts'
import { type Comparison, compareWithLog, isNear } from './comparison.ts'
import { EXPONENTIAL, type Guess, type LoggedFacts, scenarioOfGuess, spreads } from './guess.ts'

/** A guess, and how its run compares with the log. */
export interface Tried {
  readonly guess: Guess
  readonly comparison: Comparison
  /** The distance to the log, plus a penalty for departing from its facts. */
  readonly score: number
}

/** `told` is called with the share of the search that is done. */
export interface SearchOptions {
  readonly told: (share: number) => void
}

/** The result of a search, and by stage whether the spread of its service times was fitted. */
export interface Searched {
  readonly best: Tried
  readonly spreadFitted: readonly boolean[]
  readonly runs: number
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
const CLEARLY = 1.25

/** Corrects a first guess by playing it: the rates, the spread of the services, and the seed. The same log gives the same result. */
export async function search(frame: LoggedFacts, first: Guess, counted: boolean, { told }: SearchOptions): Promise<Searched> {
  const services = countJobs(scenarioOfGuess(frame, first).source) * frame.samples.stages.length
  const budget = Math.round(Math.min(MAX_RUNS, Math.max(MIN_RUNS, SERVICE_BUDGET / Math.max(1, services))))
  let runs = 0
  const attempt = async (guess: Guess): Promise<Tried> => {
    const comparison = await compareWithLog(frame.samples, scenarioOfGuess(frame, guess))
    told(Math.min(1, ++runs / budget))
    return { guess, comparison, score: comparison.distance + penalty(frame, guess) }
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
  const spreadFitted: boolean[] = []
  for (const s of frame.samples.stages.keys()) {
    const { guess, fitted } = await chooseSpread(best.guess, s, attempt)
    spreadFitted.push(fitted)
    best = await attempt(guess)
  }
  await correct()
  const random = createRandom(1, randomKey('fit'))
  while (runs < budget && (runs < ENOUGH || !isNear(best.comparison))) better(await attempt(changed(best.guess, runs, (draw) => random(runs, draw))))
  told(1)
  return { best, spreadFitted, runs }
}

/** Returns the penalty of a guess for departing from the facts of the log. */
function penalty({ arrivals }: LoggedFacts, { rates, paces }: Guess): number {
  const ofRates = rates.reduce((sum, rate, k) => sum + ((rate - arrivals[k].value) / Math.max(1e-9, arrivals[k].value)) ** 2, 0) / rates.length
  return paces.reduce((sum, pace) => sum + 4 * (pace - 1) ** 2, 0) + 0.1 * ofRates
}

/** Returns rates that should give the queues of the log: the estimate is assumed to miss the log by as much as it missed the run. */
function correctedRates({ samples, arrivals }: LoggedFacts, { guess, comparison }: Tried): number[] {
  const played = { time: samples.time, stages: samples.stages.map((stage, s) => ({ ...stage, queue: comparison.queues[s] })) }
  const bounds = [...arrivals.map(({ from }) => from), samples.time.length - 1]
  const [logged, run] = [samples, played].map((of) => queuedRates(of, bounds))
  return guess.rates.map((rate, k) => rate * Math.min(1.3, Math.max(0.75, 1 + 0.7 * (logged[k].value / run[k].value - 1))))
}

/** Tries wider and narrower service times at a stage while the runs come clearly nearer to the log. */
async function chooseSpread(from: Guess, stage: number, attempt: (guess: Guess) => Promise<Tried>): Promise<{ guess: Guess; fitted: boolean }> {
  const known = new Map<number, number>()
  const withSpread = (k: number) => ({ ...from, spreads: from.spreads.map((each, s) => (s === stage ? k : each)) })
  const distance = async (k: number) => {
    const before = known.get(k)
    if (before !== undefined) return before
    if (k < 0 || k >= spreads.length) return Infinity
    let sum = 0
    for (let n = 0; n < SEEDS; n++) sum += (await attempt({ ...withSpread(k), seed: n + 1 })).score
    known.set(k, sum / SEEDS)
    return sum / SEEDS
  }
  let k = EXPONENTIAL
  for (const step of [-1, 1]) while ((await distance(k + step)) * CLEARLY < (await distance(k))) k += step
  const others = Array.from(known).filter(([other]) => other !== k)
  const fitted = others.every(([, each]) => each > CLEARLY * (known.get(k) ?? 0))
  return { guess: withSpread(k), fitted }
}

/** Returns the guess with a new seed, new rates or new service times, in turn. */
function changed(guess: Guess, turn: number, draw: (n: number) => number): Guess {
  const seed = 2 + Math.floor(draw(0) * 1_000_000)
  const about = (width: number, n: number) => 1 + width * (2 * draw(n) - 1)
  if (turn % 4 === 0) return { ...guess, seed }
  if (turn % 4 === 1) return { ...guess, rates: guess.rates.map((rate) => rate * about(0.06, 1)) }
  if (turn % 4 === 2) return { ...guess, rates: guess.rates.map((rate, k) => rate * about(0.08, 2 + k)) }
  return { ...guess, paces: guess.paces.map((pace, s) => Math.min(1.1, Math.max(0.9, pace * about(0.03, 2 + s)))) }
}
