import { removeStage, setStage, setWorkers } from '../../scenario/edit/edits.ts'
import { serviceMean } from '../../scenario/model/distributions.ts'
import type { Scenario, Service, Source } from '../../scenario/model/scenario.ts'
import { parse } from '../../scenario/parse/parse.ts'
import { timesOf } from './finderDraw.ts'

/** A scenario, and the ratio of the figures of the two policies in it. */
export type Found = { readonly scenario: Scenario; readonly ratio: number }

/** Shrinking may cost this share of the ratio: a scenario that people understand is worth more than the last hundredth. */
const KEPT = 0.99

/**
 * Returns a simpler scenario with nearly the ratio of this one: fewer jobs, stages and workers, then rounder numbers; and how many trials
 * that took. `ratioIn` is one trial.
 */
export async function shrunk(found: Found, maxRuns: number, ratioIn: (scenario: Scenario) => Promise<number>) {
  const minRatio = found.ratio * KEPT
  let simplest = found
  let runs = 0
  for (let again = true; again; ) {
    again = false
    let all = [...simplifications(simplest.scenario)]
    for (let k = 0; k < all.length && runs < maxRuns; k++) {
      const parsed = parse(all[k])
      if ('problems' in parsed) continue
      runs++
      const ratio = await ratioIn(parsed.scenario)
      if (ratio < minRatio) continue
      simplest = { scenario: parsed.scenario, ratio }
      // The same place of the new list: all before it has been tried.
      all = [...simplifications(simplest.scenario)]
      k--
      again = true
    }
  }
  return { found: simplest, runs }
}

/** Yields simpler scenarios, the greatest simplification first. Each differs from the scenario, so shrinking ends. */
function* simplifications(scenario: Scenario): Generator<Scenario> {
  const { source, stages, workers, switchCost, batch, workerEvents } = scenario
  if (source.kind === 'times') yield* fewerJobs(source.at).map((fewer) => ({ ...scenario, source: fewer }))
  for (const { id } of stages) if (stages.length > 1) yield removeStage(scenario, id)
  for (const fewer of [Math.ceil(workers / 2), workers - 1])
    if (fewer >= 1 && fewer < workers) yield setWorkers(scenario, fewer)
  for (const event of workerEvents) yield { ...scenario, workerEvents: workerEvents.filter((each) => each !== event) }
  if (switchCost > 0) yield { ...scenario, switchCost: 0 }
  if (batch.size !== 1) yield { ...scenario, batch: { size: 1, inHand: 1 } }
  if (scenario.seed > 1) yield { ...scenario, seed: 1 }
  for (const { id, changes, fails } of stages) {
    for (const change of changes) yield setStage(scenario, id, { changes: changes.filter((each) => each !== change) })
    if (fails !== null) yield setStage(scenario, id, { fails: null })
  }
  for (const { id, service, changes } of stages) {
    for (const simpler of simplerServices(service)) yield setStage(scenario, id, { service: simpler })
    for (const change of changes) {
      const others = (instead: Service) =>
        changes.map((each) => (each === change ? { ...each, service: instead } : each))
      for (const simpler of simplerServices(change.service)) yield setStage(scenario, id, { changes: others(simpler) })
    }
  }
  if (source.kind === 'times') yield* rounderTimes(source.at).map((rounder) => ({ ...scenario, source: rounder }))
  const rounderCost = [1, 2].map((digits) => rounded(switchCost, digits)).find((cost) => cost !== switchCost)
  if (rounderCost !== undefined) yield { ...scenario, switchCost: rounderCost }
}

/** The first or second half, or all but one; all at once as a batch. */
function fewerJobs(at: readonly number[]): readonly Source[] {
  if (at.every((time) => time === 0))
    return at.length < 2
      ? []
      : [...new Set([Math.ceil(at.length / 2), at.length - 1])].map((n) => timesOf(at.slice(0, n)))
  const half = Math.ceil(at.length / 2)
  const halves = at.length > 3 ? [at.slice(0, half), at.slice(half)] : []
  const without = at.length > 1 ? at.map((_, k) => at.filter((_, i) => i !== k)) : []
  return [at.map(() => 0), ...[...halves, ...without].map((some) => some.map((time) => time - some[0]))].map(timesOf)
}

/** Times that are 0, equal to the one before, or round. */
function rounderTimes(at: readonly number[]): readonly Source[] {
  const all = [1, 2, 3].map((digits) => at.map((time) => rounded(time, digits)))
  const each = at.flatMap((time, k) =>
    [...at.slice(Math.max(0, k - 1), k), ...rounder(time)].map((instead) =>
      at.map((other, i) => (i === k ? instead : other)),
    ),
  )
  return [...all, ...each].filter((times) => times.some((time, k) => time !== at[k])).map(timesOf)
}

function simplerServices(service: Service): readonly Service[] {
  if (service.kind === 'constant') return rounder(service.mean).map((mean) => ({ kind: 'constant', mean }))
  const mean = Math.round(serviceMean(service))
  const constant: Service = { kind: 'constant', mean }
  if (service.kind === 'bimodal') {
    const faster = rounder(service.fast).map((fast): Service => ({ ...service, fast }))
    const slower = rounder(service.slow).map((slow): Service => ({ ...service, slow }))
    return [
      constant,
      { kind: 'constant', mean: service.fast },
      { kind: 'constant', mean: service.slow },
      ...faster,
      ...slower,
    ]
  }
  if (service.kind === 'uniform')
    return [
      constant,
      ...rounder(service.max).map((max) => ({ ...service, max })),
      ...rounder(service.min).map((min) => ({ ...service, min })),
    ]
  return [constant, ...('mean' in service ? rounder(service.mean).map((round) => ({ ...service, mean: round })) : [])]
}

/** Numbers with fewer digits than this one. */
function rounder(number: number): readonly number[] {
  const digits = [1, 2, 3].map((n) => rounded(number, n))
  return digits.slice(0, digits.includes(number) ? digits.indexOf(number) : digits.length)
}

/** Returns the nearest whole number with `digits` digits before its zeros. */
function rounded(number: number, digits: number): number {
  let unit = 1
  while (unit * 10 <= number) unit *= 10
  for (let left = digits; left > 1; left--) unit /= 10
  return unit < 1 ? number : Math.round(number / unit) * unit
}
