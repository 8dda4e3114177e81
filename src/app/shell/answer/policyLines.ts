import { t } from '../../../language/translate.ts'
import { isMethod, type Method } from '../../../scenario/model/methods.ts'
import type { PolicyKind } from '../../../scenario/model/scenario.ts'

/** Returns what a policy of the menu does, in a line; undefined if its name says it. */
export function policyLine(kind: PolicyKind): string | undefined {
  return isMethod(kind) ? t('Seats by votes, by a method of parliaments') : lines[kind]?.()
}

const lines: Readonly<Partial<Record<Exclude<PolicyKind, Method>, () => string>>> = {
  leastScore: () => t('Saves the most waiting time'),
  power: () => t('Lies between least total time and Jefferson'),
  proportional: () => t('Seats by votes, at least one for each stage with work'),
  backpressure: () => t('Serves long queues that lead to short ones'),
  preallocate: () => t('Counts the jobs that are on their way'),
  switchAware: () => t('Moves a worker only where that pays'),
  deadline: () => t('Old jobs count more'),
  pid: () => t('Each stage hires and dismisses by a PID controller'),
  threshold: () => t('Hires at a long queue, dismisses idle workers'),
  aimd: () => t('Hires step by step, dismisses a share at once'),
  adaptive: () => t('A PID controller whose gains follow the service time'),
  predictive: () => t('Hires for the load of the day before'),
  rayData: () => t('Adds one actor at a time, while none starts up'),
  hpa: () => t('Workers × utilisation / target, slow to shrink'),
  seda: () => t('One more thread where more than 100 jobs wait'),
  xenna: () => t('Every three minutes: equal throughput by measured rates'),
  flinkAutoscaler: () => t('Keeps stages 70% busy by the rates of the last minutes'),
  workStealing: () => t('Each worker goes on with its newest job, or steals old ones'),
}
