import { typedNumber } from '../../../app/base/forms/typedText.ts'
import { t } from '../../../language/translate.ts'
import { hasGains } from '../../../scenario/model/defaults.ts'
import type { Micros, Policy, Scenario } from '../../../scenario/model/scenario.ts'
import { phasesOf, scenarioAtPhase } from '../../../scenario/model/schedule.ts'
import { percent } from '../../../views/drawing/format.ts'
import type { ControllerLog } from '../../replay/study/controllerLog.ts'
import type { Controlled } from '../draw/trajectoryBands.ts'

/** Whether a policy works something out that can be shown: the others look at the queue and at who is idle, and remember nothing. */
function reckons(policy: Policy): boolean {
  return hasGains(policy) || policy.kind === 'predictive'
}

/** Whether the controllers of a run work something out, at any time. */
export function showsControllers(scenario: Scenario): boolean {
  return phasesOf(scenario).some(({ policy }) => reckons(policy))
}

/** Returns what the plot of the pools shows of the controllers. Bounds that change during the run are left out. */
export function controlledBy({ policy, later }: Scenario, { times, outputs }: ControllerLog): Controlled {
  if (policy.kind === 'predictive') return { title: t('workers wanted'), times, outputs, bounds: [] }
  if (!hasGains(policy) || later.length > 0) return { title: t('output'), times, outputs, bounds: [] }
  const { up, down } = policy
  return { title: t('output: hires at {up}, dismisses at {down}', { up: three(up), down: three(down) }), times, outputs, bounds: [up, down] }
}

/** Returns what the controller of a stage made of what it saw at the latest tick; empty before the first, and where it makes nothing of it. */
export function controllerSentence(scenario: Scenario, { times, outputs, factors }: ControllerLog, stage: number, time: Micros): string {
  const tick = lastAt(times, time)
  const { policy } = scenarioAtPhase(scenario, scenario.later.filter(({ at }) => at <= time).length)
  if (tick < 0) return ''
  const output = outputs[stage][tick]
  const factor = factors[stage][tick]
  if (policy.kind === 'predictive')
    return t('wants {n, plural, one {# worker} other {# workers}}; today is {share} of the profile', { n: output, share: percent(factor, 0) })
  if (!hasGains(policy)) return ''
  const values = { output: three(output), up: three(policy.up), down: three(policy.down) }
  const told = t('output {output}: hires at {up} or below, dismisses at {down} or above', values)
  return policy.kind === 'adaptive' ? t('{told}; gains times {factor}', { told, factor: three(factor) }) : told
}

/** Returns the last tick at or before a time; -1 if there is none. */
function lastAt(times: readonly Micros[], time: Micros): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle] <= time) low = middle + 1
    else high = middle
  }
  return low - 1
}

const three = (value: number) => typedNumber(Number(value.toPrecision(3)))
