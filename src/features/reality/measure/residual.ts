import { sum } from 'd3-array'
import { t } from '../../../language/translate.ts'
import { lossOf } from '../../../measures/frame/endingWords.ts'
import { type EngineName, engines } from '../../../scenario/model/engines.ts'
import { doesRealWork, type Micros, type Scenario } from '../../../scenario/model/scenario.ts'
import type { Trace } from '../../../trace/trace.ts'
import { type CriticalPath, criticalPathInSteps, type PathLeg, pathLegs } from './criticalPath.ts'

/**
 * The reasons why a real run is longer than its simulation. Each is walked back along its own critical path, whose legs add up to its makespan; so do the
 * differences, part by part and stage by stage. `contention`: services that took longer than expected; `belief`: the same where the work is real and its
 * declared service is only an estimate; `other`: services, changes of stage and arrivals of the path as expected, where other decisions were taken.
 */
export interface Residual {
  /** The engine of the real run. */
  readonly engine: EngineName
  readonly real: Micros
  readonly simulated: Micros
  readonly parts: readonly ResidualPart[]
}

export const residualPartNames = ['network', 'message', 'contention', 'belief', 'batch', 'other'] as const
export type ResidualPartName = (typeof residualPartNames)[number]

/** `difference`: real - simulated. */
export interface ResidualPart extends Readonly<Record<'real' | 'simulated' | 'difference', Micros>> {
  readonly name: ResidualPartName
  /** The difference by stage; the last entry is of no stage. */
  readonly byStage: readonly Micros[]
}

/** Returns the residual, in steps of a few milliseconds. Both runs must be drained: see `residualRefusal`. */
export function* residualInSteps(real: Trace, simulated: Trace): Generator<void, Residual> {
  const one = yield* criticalPathInSteps(real)
  const other = yield* criticalPathInSteps(simulated)
  const [ones, others] = [partsOf(real.scenario, one), partsOf(simulated.scenario, other)]
  const parts = residualPartNames.map((name): ResidualPart => {
    const [mine, theirs] = [sum(ones[name]), sum(others[name])]
    return { name, real: mine, simulated: theirs, difference: mine - theirs, byStage: ones[name].map((time, s) => time - others[name][s]) }
  })
  return { engine: real.engine, real: one.makespan, simulated: other.makespan, parts }
}

/** Returns why a run cannot be compared with its simulation, in words; null: it can. */
export function residualRefusal({ ending, failures, begins }: Trace): string | null {
  if (begins !== null) return t('its record begins in the middle of it')
  if (ending === 'drained') return null
  if (ending === 'stuck') return t('no worker was left to serve the rest') + (failures.length > 0 ? ` (${lossOf(failures[failures.length - 1])})` : '')
  return ending === 'stopped' ? t('it was stopped before its end') : t('its record ends before the run did')
}

/** Whether a stage does real work, whose declared service is only an estimate. */
export function isServiceEstimated({ stages }: Scenario, stage: number): boolean {
  return doesRealWork(stages[stage])
}

function partsOf(scenario: Scenario, { times }: CriticalPath): Readonly<Record<ResidualPartName, readonly Micros[]>> {
  const none = residualPartNames.map((name) => [name, new Array<Micros>(scenario.stages.length + 1).fill(0)])
  const parts = Object.fromEntries(none) as Record<ResidualPartName, Micros[]>
  for (const leg of pathLegs) for (const [s, time] of times[leg].entries()) parts[partOf(scenario, leg, s)][s] += time
  return parts
}

function partOf(scenario: Scenario, leg: PathLeg, stage: number): ResidualPartName {
  if (leg === 'network' || leg === 'message' || leg === 'batch') return leg
  if (leg !== 'longer') return 'other'
  return stage < scenario.stages.length && isServiceEstimated(scenario, stage) ? 'belief' : 'contention'
}

/** What each part is called in a sentence, after its length. */
export const partWords = (engine: EngineName): Readonly<Record<ResidualPartName, string>> => ({
  network: t('messages over the network'),
  message: engine === 'room' ? t('arrivals heard late') : t('messages'),
  contention: engine === 'room' ? t('services that took longer on their device') : t('services held up by other threads on the same cores'),
  belief: t('real work that took longer than declared'),
  batch: t('waits for the rest of a batch'),
  other: t('other decisions'),
})

/** Returns the residual as a sentence: "It took 1.283 s on Web Workers, 14 ms (1.1%) longer than predicted: 16 ms messages, less 2 ms other decisions." */
export function residualSentence(
  { engine, real, simulated, parts }: Residual,
  write: Readonly<Record<'instant' | 'duration' | 'percent', (x: number) => string>>,
): string {
  const gap = real - simulated
  const length = (time: Micros) => write.duration(Math.abs(time))
  const words = partWords(engine)
  const took = t('It took {real} {where}', { real: write.instant(real), where: engines[engine].where() })
  const share = simulated > 0 ? ` (${write.percent(Math.abs(gap) / simulated)})` : ''
  const sign = gap < 0 ? -1 : 1
  const some = parts
    .filter(({ difference }) => difference !== 0)
    .sort((a, b) => sign * (b.difference - a.difference))
    .map(({ name, difference }) => {
      const [time, part] = [length(difference), words[name]]
      return sign * difference < 0 ? t('less {time} {part}', { time, part }) : `${time} ${part}`
    })
  const by = { gap: length(gap) + share }
  const differs = gap < 0 ? t('{gap} shorter than predicted', by) : t('{gap} longer than predicted', by)
  const than = gap === 0 ? t('as long as predicted') : differs
  return some.length === 0 ? `${took}, ${than}.` : `${took}, ${than}: ${some.join(', ')}.`
}
