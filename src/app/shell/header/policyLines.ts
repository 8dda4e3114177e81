import { t } from '../../../language/translate.ts'
import type { PolicyKind } from '../../../scenario/model/scenario.ts'

/** What each policy does, in a line for the menu. */
export const policyLines: Readonly<Record<PolicyKind, () => string>> = {
  leastScore: () => t('Saves the most waiting time'),
  exhaustive: () => t('The same, by trying every allocation'),
  jefferson: () => t('Divides votes by seats + 1'),
  webster: () => t('Divides votes by 2 × seats + 1'),
  huntingtonHill: () => t('Divides votes by √(seats × (seats + 1))'),
  adams: () => t('Divides votes by seats, so each stage with work gets one'),
  dean: () => t('Divides votes by the harmonic mean of seats and seats + 1'),
  hamilton: () => t('Whole quotas first, then the largest remainders'),
  power: () => t('Lies between least total time and Jefferson'),
  proportional: () => t('Seats by votes, at least one for each stage with work'),
  longestQueue: () => t('Most waiting jobs per worker'),
  backpressure: () => t('Serves long queues that lead to short ones'),
  sinkFirst: () => t('Finishes jobs before it starts more'),
  preallocate: () => t('Counts the jobs that are on their way'),
  switchAware: () => t('Moves a worker only where that pays'),
  deadline: () => t('Old jobs count more'),
  onePerStage: () => t('Each stage has one worker'),
  fixed: () => t('Each stage keeps the workers that you give it'),
  single: () => t('One worker runs each job from start to end'),
  perJob: () => t('Each worker carries its jobs through all stages'),
  greenThreads: () => t('Each stage has threads, which share the cores'),
  pid: () => t('Each stage hires and dismisses by a PID controller'),
  threshold: () => t('Hires at a long queue, dismisses idle workers'),
  aimd: () => t('Hires step by step, dismisses a share at once'),
  adaptive: () => t('A PID controller whose gains follow the service time'),
  predictive: () => t('Hires for the load of the day before'),
  byHand: () => t('The seats that you chose, decision by decision'),
  code: () => t('A function that you write'),
}
