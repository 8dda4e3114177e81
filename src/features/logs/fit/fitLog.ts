import { t } from '../../../language/translate.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { quoted } from '../../../scenario/model/words.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import type { SystemLog } from '../read/log.ts'
import { arrivalRates, arrivalsCounted } from './arrivalRates.ts'
import { type Gap, type StageComparison, unexplainedIn } from './comparison.ts'
import { EXPONENTIAL, earlyJobs, type Guess, type LoggedFacts, scenarioOfGuess, spreads } from './guess.ts'
import { type StageSamples, samplesOf } from './samples.ts'
import { search } from './search.ts'
import { crewsOf, serviceMeans } from './stretches.ts'

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
  /** What the fit assumes, in sentences. */
  readonly assumed: readonly string[]
  readonly runs: number
}

export interface FitOptions {
  /** The names of the stages along the pipeline; null: in order of appearance. */
  readonly order?: readonly string[] | null
  readonly told?: (share: number) => void
}

/** Thrown if it is not clear in which order jobs pass the stages. */
export class UnclearOrder extends Refusal {}

/** The fit that a thread returns, or why there is none. */
export type FitAnswer =
  | { readonly kind: 'fitted'; readonly fit: Fit }
  /** `unclear`: another order of the stages may work. */
  | { readonly kind: 'refused'; readonly message: string; readonly unclear: boolean }

/** The jobs that leave one stage and arrive at the next may differ by this share. */
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
    order === null ? t('The stages follow each other as they appear in the log: {names}.', { names: samples.stages.map(({ name }) => name).join(', ') }) : '',
    isCounted ? '' : t('The log counts no jobs, so the arrivals follow from queues, service times and workers.'),
    t('Jobs arrive at random, at these rates.'),
    ...samples.stages.map(({ name }, s) => spreadOf(name, spreads[guess.spreads[s]].name(), spreadFitted[s], guess.paces[s])),
    exact ? '' : t('The workers changed more often than a scenario can hold, so means over equal periods are used.'),
    early ? t('Jobs that wait in later stages when the log begins arrive at time 0 and pass the stages before in a microsecond.') : '',
  ]
  return {
    scenario: scenarioOfGuess(frame, guess),
    stages: comparison.stages,
    time: samples.time,
    logged: samples.stages.map(({ queue }) => queue),
    played: comparison.queues,
    gaps: comparison.stages.flatMap((stage) => unexplainedIn(stage, samples.time)),
    rates: arrivals.map(({ from }, k) => [samples.time[from], guess.rates[k]]),
    assumed: assumed.filter((text) => text !== ''),
    runs,
  }
}

/** Returns the fit, or why there is none. */
export async function fitAnswer(log: SystemLog, options: FitOptions): Promise<FitAnswer> {
  try {
    return { kind: 'fitted', fit: await fitLog(log, options) }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', message: error.message, unclear: error instanceof UnclearOrder }
    throw error
  }
}

function spreadOf(name: string, spread: string, fitted: boolean, pace: number): string {
  const known = fitted ? t('{name}: service times fitted as {spread}', { name, spread }) : t('{name}: service times assumed to be {spread}', { name, spread })
  return Math.abs(pace - 1) < 0.005 ? `${known}.` : t('{known}; means times {pace}, which fits better.', { known, pace: pace.toFixed(2) })
}

/** Throws UnclearOrder if the counts contradict the order of the stages. */
function checkLine(stages: readonly StageSamples[]): void {
  for (const [k, stage] of stages.slice(1).entries()) {
    const before = stages[k]
    const came = arrivalsCounted(stage)?.at(-1)
    const earlier = arrivalsCounted(before)?.at(-1)
    if (came === undefined || earlier === undefined) continue
    const left = earlier - (before.queue[before.queue.length - 1] - before.queue[0])
    if (Math.abs(came - left) <= LEAKS * Math.max(came, left, 50)) continue
    throw new UnclearOrder(
      'stage',
      t(
        '{left, plural, one {# job} other {# jobs}} left {before} and {came, plural, one {# job} other {# jobs}} came to {stage}, which should follow it; say in which order the stages follow each other',
        { left: Math.round(left), came: Math.round(came), before: quoted(before.name), stage: quoted(stage.name) },
      ),
    )
  }
}
