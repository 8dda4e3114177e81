import { isolated, t } from '../../../language/translate.ts'
import { phaseNames } from '../../../measures/decisions/decisionWords.ts'
import { type Fault, faultKey, type PhaseAt, scenarioFaults, slowdownOf } from '../../../scenario/edit/faults.ts'
import { policyName } from '../../../scenario/model/policies.ts'
import {
  type Micros,
  type Problem,
  phaseKeys,
  type Scenario,
  type WorkerEvent,
} from '../../../scenario/model/scenario.ts'
import { listed } from '../../../scenario/model/words.ts'
import { clock, count } from '../../../views/drawing/format.ts'
import type { FaultMark } from '../../../views/timeline/faultMark.ts'
import { typedNumber } from '../../base/forms/typedText.ts'
import type { Run } from '../../session/run/runStore.ts'
import type { JobClock } from './jobClock.ts'

/** Returns what happens to a worker, counted from 1, or without a number to any: `Worker 8 crashes`, `A worker crashes`. */
export const workerEventWords = (worker = 0): Readonly<Record<WorkerEvent['kind'], string>> => ({
  join: t('{worker, plural, =0 {A worker} other {Worker {worker}}} joins', { worker }),
  leave: t('{worker, plural, =0 {A worker} other {Worker {worker}}} leaves', { worker }),
  crash: t('{worker, plural, =0 {A worker} other {Worker {worker}}} crashes', { worker }),
  hang: t('{worker, plural, =0 {A worker} other {Worker {worker}}} hangs', { worker }),
})

/** Returns a fault in words: `Worker 8 crashes`, `Enrich 5 times slower`. Workers count from 1. */
export function faultWords(scenario: Scenario, fault: Fault): string {
  if (fault.kind === 'phase') return phaseWords(fault.values)
  if (fault.kind !== 'change') return workerEventWords(fault.worker + 1)[fault.kind]
  const name = scenario.stages.find(({ id }) => id === fault.stage)?.name ?? fault.stage
  return `${isolated(name)} ${speedWords(slowdownOf(scenario, fault))}`
}

/** Returns `5 times slower` or `2.5 times quicker`; at the same mean, that it is another distribution. */
export function speedWords(slowness: number): string {
  if (slowness > 0.995 && slowness < 1.005) return t('spread differently')
  const quicker = slowness < 1 ? 1 : 0
  const factor = factorText(quicker ? 1 / slowness : slowness)
  return t('{factor} times {quicker, plural, =1 {quicker} other {slower}}', { factor, quicker })
}

/** Returns the policy that takes over, or what else changes. */
function phaseWords(phase: PhaseAt['values']): string {
  if (phase.policy !== undefined) return policyName(phase.policy)
  const names = phaseNames()
  return t('Change: {things}', {
    things: listed(phaseKeys.filter((key) => phase[key] !== undefined).map((key) => names[key])),
  })
}

/** Returns `at 1.200 s`, or for a change at a job `from job 300 on, at 0.833 s`. */
export function faultTimeWords(fault: Fault, time: Micros): string {
  return fault.kind === 'change'
    ? t('from job {from}, at {time}', { from: count(fault.from), time: clock(time) })
    : t('at {time}', { time: clock(time) })
}

export function factorText(factor: number): string {
  return typedNumber(Number(factor.toPrecision(3)))
}

/** Returns a message with workers counted from 1, as on the screen. */
export function countedFromOne(message: string): string {
  return message.replace(/\d+/g, (number) => String(Number(number) + 1))
}

/** Returns a problem of worker events as the screen names it. */
export function problemOnScreen(problem: Problem): Problem {
  return /^workerEvents\[\d+\]\.worker$/.test(problem.path)
    ? { ...problem, message: countedFromOne(problem.message) }
    : problem
}

/** Returns when a fault happens, as far as that is known. */
export function faultTime(fault: Fault, clock: JobClock): Micros {
  return fault.kind === 'change' ? clock.timeOf(fault.stage, fault.from) : fault.at
}

/** Returns all faults of a scenario as marks in order of time. */
export function marksOf(scenario: Scenario, run: Run | null, clock: JobClock): FaultMark[] {
  const played = run === null ? null : playedIn(run)
  const marks = scenarioFaults(scenario).map((fault): FaultMark => {
    const time = faultTime(fault, clock)
    const change = fault.kind === 'change'
    return {
      key: faultKey(fault),
      kind: change ? (slowdownOf(scenario, fault) < 1 ? 'quicker' : 'slower') : fault.kind,
      time,
      label: faultWords(scenario, fault),
      when: faultTimeWords(fault, time),
      colourIndex: change ? scenario.stages.findIndex(({ id }) => id === fault.stage) : null,
      played: played === null || played.has(JSON.stringify(fault)),
    }
  })
  return marks.sort((a, b) => a.time - b.time)
}

const known = new WeakMap<Run, ReadonlySet<string>>()

function playedIn(run: Run): ReadonlySet<string> {
  const played = known.get(run) ?? new Set(scenarioFaults(run.scenario).map((each) => JSON.stringify(each)))
  known.set(run, played)
  return played
}
