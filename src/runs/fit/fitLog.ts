import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { counted, quoted } from '../../scenario/model/words.ts'
import { Refusal } from '../../trace/json/refusal.ts'
import type { SystemLog } from '../../trace/logs/log.ts'
import { arrivalRates, arrivalsCounted } from './arrivalRates.ts'
import type { StageComparison } from './comparison.ts'
import { crewsOf } from './crews.ts'
import { EXPONENTIAL, earlyJobs, type Guess, type LoggedFacts, scenarioOfGuess, spreads } from './guess.ts'
import { type StageSamples, samplesOf } from './samples.ts'
import { search } from './search.ts'
import { serviceMeans } from './serviceMeans.ts'

/** A scenario that reproduces a log, and how well. */
export interface Fit {
  readonly scenario: Scenario
  readonly stages: readonly StageComparison[]
  /** The times of the log, for the parts of `stages`. */
  readonly time: Float64Array
  /** In jobs per second, from each time on. */
  readonly rates: readonly (readonly [Micros, number])[]
  /** What the log does not say, in sentences. */
  readonly assumed: readonly string[]
  readonly runs: number
}

export interface FitOptions {
  /** The names of the stages along the pipeline; null: in order of appearance. */
  readonly order?: readonly string[] | null
  readonly told?: (share: number) => void
}

/** Jobs that leave one stage and come to the next may differ by this share. */
const LEAKS = 0.15

/** Returns the scenario of a log: its stages, arrivals, service times and workers. Throws a Refusal for a log that cannot be fitted. */
export async function fitLog(log: SystemLog, { order = null, told = () => {} }: FitOptions = {}): Promise<Fit> {
  const samples = samplesOf(log, order)
  if (order === null) checkLine(samples.stages)
  const { pieces: arrivals, counted: isCounted } = arrivalRates(samples)
  const { crews, exact } = crewsOf(samples)
  const frame: LoggedFacts = { samples, arrivals, services: samples.stages.map(serviceMeans), crews }
  const first: Guess = {
    rates: arrivals.map(({ value }) => value),
    spreads: samples.stages.map(() => EXPONENTIAL),
    paces: samples.stages.map(() => 1),
    seed: 1,
  }
  const { best, spreadFitted, runs } = await search(frame, first, isCounted, { told })
  const { guess, comparison } = best
  const early = earlyJobs(samples)
    .slice(1)
    .some((jobs) => jobs > 0)
  const assumed = [
    order === null ? `The stages follow each other as they appear in the log: ${samples.stages.map(({ name }) => name).join(', ')}.` : '',
    isCounted ? '' : 'The log counts no jobs, so the arrivals follow from queues, service times and workers.',
    'Jobs arrive at random, at these rates.',
    ...samples.stages.map(({ name }, s) => spreadOf(name, spreads[guess.spreads[s]].name, spreadFitted[s], guess.paces[s])),
    exact ? '' : 'The workers changed more often than a scenario can say: means of equal stretches.',
    early ? 'Jobs that wait in later stages when the log begins arrive at time 0 and pass the stages before in a microsecond.' : '',
  ]
  return {
    scenario: scenarioOfGuess(frame, guess),
    stages: comparison.stages,
    time: samples.time,
    rates: arrivals.map(({ from }, k) => [samples.time[from], guess.rates[k]]),
    assumed: assumed.filter((text) => text !== ''),
    runs,
  }
}

function spreadOf(name: string, spread: string, fitted: boolean, pace: number): string {
  const paced = Math.abs(pace - 1) < 0.005 ? '' : `; means times ${pace.toFixed(2)}, which fits better`
  return `${name}: service times ${fitted ? 'fitted as' : 'assumed to be'} ${spread}${paced}.`
}

/** Throws a Refusal where the counts say that the stages are no line in this order. */
function checkLine(stages: readonly StageSamples[]): void {
  for (const [k, stage] of stages.slice(1).entries()) {
    const before = stages[k]
    const came = arrivalsCounted(stage)?.at(-1)
    const earlier = arrivalsCounted(before)?.at(-1)
    if (came === undefined || earlier === undefined) continue
    const left = earlier - (before.queue[before.queue.length - 1] - before.queue[0])
    if (Math.abs(came - left) <= LEAKS * Math.max(came, left, 50)) continue
    const found = `${counted(Math.round(left), 'job')} left ${quoted(before.name)} and ${counted(Math.round(came), 'job')} came to ${quoted(stage.name)}`
    throw new Refusal(
      'stage',
      `${found}, which should follow it; say how the stages follow each other, such as --stages ${stages.map(({ name }) => name).join(',')}`,
    )
  }
}
