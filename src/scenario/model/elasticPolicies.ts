import { t } from '../../language/translate.ts'
import type { Param, Params, PolicyDescription } from './params.ts'

/** Of a controller. With these bounds no sum over a run leaves the range of numbers. */
export const MAX_GAIN = 1_000_000
const MAX_OUTPUT = 1_000_000_000

const gain = { is: 'real', min: 0, max: MAX_GAIN } as const
const period = { is: 'micros', min: 1000, start: 10_000, label: () => t('Period') } as const satisfies Param
const largestPool = {
  is: 'whole',
  min: 1,
  max: 'workers',
  orNone: true,
  byDefault: null,
  label: () => t('Most in a pool'),
  hint: () => t('Empty: as many as there may be workers'),
} as const satisfies Param

/**
 * One controller a stage. Every period it works out the error e = setpoint - jobs waiting and, with dt in seconds since
 * the last time, output = kp e + (sum of ki e dt) + kd (change of e) / dt. At most one worker comes or goes at a time.
 * A form begins with values that bring every run to its end: an empty queue leaves the clamped integral at -1, which is
 * `down`, and one job that waits on winds the output to -2, which is `up`.
 */
const pidParams = {
  kp: { ...gain, start: 1, by: 0.1, label: () => t('Proportional') },
  ki: { ...gain, start: 0.5, by: 0.01, label: () => t('Integral') },
  kd: { ...gain, start: 0.005, by: 0.01, label: () => t('Derivative') },
  every: period,
  setpoint: { is: 'real', min: 0, max: 'jobs', start: 0, counts: () => t(' of jobs'), label: () => t('Queue aimed at'), unit: () => 'jobs' },
  up: { is: 'real', min: -MAX_OUTPUT, max: MAX_OUTPUT, start: -2, by: 5, label: () => t('Hire at'), hint: () => t('Output at or below') },
  down: { is: 'real', min: -MAX_OUTPUT, max: MAX_OUTPUT, start: -1, by: 5, label: () => t('Dismiss at'), hint: () => t('Output at or above') },
  max: largestPool,
  clamp: {
    is: 'real',
    min: 0,
    max: MAX_OUTPUT,
    orNone: true,
    byDefault: null,
    start: 1,
    label: () => t('Clamp integral'),
    hint: () => t('Empty: it winds up without bound'),
  },
} as const satisfies Params

/** When a controller that looks at its queue and its idle workers hires and dismisses. */
const queueBounds = {
  high: { is: 'whole', min: 0, max: 'jobs', start: 0, label: () => t('Hire above'), unit: () => t('waiting'), slider: [0, 200] },
  idle: { is: 'micros', min: 0, start: 200_000, label: () => t('Dismiss after'), hint: () => t('Idle for this long') },
} as const satisfies Params

/** The policies that hire and dismiss workers themselves: rows of the table in policies.ts. */
export const elasticPolicies = {
  pid: { name: () => t('PID controller'), group: 'elastic', link: 16, lends: false, params: pidParams },
  /** The controller of SEDA (Welsh, Culler and Brewer 2001): hires where more than `high` jobs wait, dismisses who has been idle for `idle`. */
  threshold: { name: () => t('Threshold controller'), group: 'elastic', link: 17, lends: false, params: { ...queueBounds, every: period, max: largestPool } },
  /**
   * Additive increase and multiplicative decrease (Chiu and Jain 1989). Hires `increase` workers where more than `high` jobs wait. Where a
   * worker has been idle for `idle`, the pool keeps the share `decrease`, rounded down.
   */
  aimd: {
    name: () => t('AIMD controller'),
    group: 'elastic',
    link: 24,
    lends: false,
    params: {
      ...queueBounds,
      increase: { is: 'whole', min: 1, max: 'workers', byDefault: 1, label: () => t('Hire at once'), unit: () => t('workers'), slider: [1, 16] },
      decrease: {
        is: 'real',
        min: 0,
        max: 0.99,
        byDefault: 0.5,
        by: 0.05,
        label: () => t('Keep'),
        hint: () => t('Share of the pool that stays when it shrinks'),
      },
      every: period,
      max: largestPool,
    },
  },
  /**
   * A PID controller with a gain schedule (Astrom and Wittenmark 1995, chapter 9). One worker works off 1 / s jobs a second at a service
   * time of s, so the gain of the loop is in proportion to gain / s. The controller multiplies its gains by s / `tunedAt`, with the s
   * that the scheduler estimates. So the gain of the loop stays what it was at `tunedAt`.
   */
  adaptive: {
    name: () => t('Adaptive PID controller'),
    group: 'elastic',
    link: 25,
    lends: false,
    params: { ...pidParams, tunedAt: { is: 'micros', min: 1, start: 1000, label: () => t('Gains tuned at'), hint: () => t('Mean service time') } },
  },
  /**
   * Hires ahead of the load. It expects the jobs of `profile` between now and `lead` later, times the ratio of jobs seen to jobs of the
   * profile. Both are smoothed exponentially (Brown 1956), which is the method of Winters (1960) with a known season and no trend.
   */
  predictive: {
    name: () => t('Predictive controller'),
    group: 'elastic',
    link: 26,
    lends: false,
    params: {
      profile: { is: 'rates', start: [[0, 100]], label: () => t('Profile'), hint: () => t('Arrivals of the day before') },
      lead: { is: 'micros', min: 1000, start: 500_000, label: () => t('Look ahead') },
      utilisation: { is: 'real', min: 0.01, max: 1, start: 0.8, by: 0.05, label: () => t('Keep busy'), hint: () => t('Share of their time') },
      alpha: { is: 'real', min: 0, max: 1, start: 0.05, by: 0.01, label: () => t('Newest weighs'), hint: () => t('0: the profile alone') },
      every: period,
      max: largestPool,
    },
  },
} satisfies Readonly<Record<string, PolicyDescription>>
