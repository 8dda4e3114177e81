import { t } from '../../../language/translate.ts'
import { MAX_ALPHA, MAX_CV, MAX_ERLANG_K, MIN_ALPHA } from '../../../scenario/model/limits.ts'
import type { Micros, Service } from '../../../scenario/model/scenario.ts'
import { serviceMean } from '../../../scenario/model/serviceMean.ts'
import { powerBelow, roundAbove, shareScale } from '../../../views/drawing/axis.ts'
import { duration } from '../../../views/drawing/format.ts'
import { quantileOf } from '../../../workload/distribution.ts'

/** The axis of a service time: linear, or logarithmic if the tail is long. */
export interface TimePlane {
  readonly from: Micros
  readonly to: Micros
  readonly log: boolean
}

/** A tail beyond this multiple of the median makes the axis logarithmic. */
const LONG_TAIL = 12

/** Returns the axis: from 0, or below the least relevant time, to beyond the 99th percentile, in round numbers with room to pull. */
export function planeOf(service: Service): TimePlane {
  const far = quantileOf(service, 0.99)
  const grips = timesOf(service)
  const most = Math.max(far, ...grips)
  if (most <= LONG_TAIL * Math.max(1, quantileOf(service, 0.5)))
    return { from: 0, to: roundAbove(Math.max(most * 1.25, serviceMean(service) * 1.6, 4)), log: false }
  const least = Math.min(quantileOf(service, 0.01), ...grips)
  return { from: Math.max(0.001, roundAbove(least) / 10), to: roundAbove(most * 2), log: true }
}

/** Returns where a time is on the axis, as a share of it; outside it is below 0 or above 1. */
export function shareOf({ from, to, log }: TimePlane, time: Micros): number {
  return shareScale(from, to, log)(log ? Math.max(time, 1e-9) : time)
}

export function timeAtShare({ from, to, log }: TimePlane, share: number): Micros {
  return shareScale(from, to, log).clamp(true).invert(share)
}

/** A part of a distribution that can be pulled. */
export interface Grip {
  /** The parameter that it sets. */
  readonly key: string
  readonly label: string
  /** Pulled along the time axis, or up and down to set a share. */
  readonly along: 'time' | 'share'
  readonly at: Micros
  /** Its height, as a share of the plot. */
  readonly height: number
  /** Its text. */
  readonly words: string
}

/** Returns the grips of a distribution. A list of measured times has none. */
export function gripsOf(service: Service): readonly Grip[] {
  const foot = (key: string, label: string, at: Micros, words = duration(at)): Grip => ({ key, label, along: 'time', at, height: 0, words })
  const raised = (key: string, label: string, at: Micros, words: string): Grip => ({ key, label, along: 'time', at, height: 0.45, words })
  switch (service.kind) {
    case 'constant':
      return [foot('mean', t('Time'), service.mean)]
    case 'uniform':
      return [foot('min', t('Least'), service.min), foot('max', t('Most'), service.max)]
    case 'exponential':
      return [foot('mean', t('Mean'), service.mean)]
    case 'erlang':
      return [foot('mean', t('Mean'), service.mean), raised('k', t('Phases'), service.mean * (1 + 1 / Math.sqrt(service.k)), `${service.k}`)]
    case 'lognormal':
      return [foot('mean', t('Mean'), service.mean), raised('cv', t('Spread'), service.mean * (1 + service.cv), t('{cv} of the mean', { cv: service.cv }))]
    case 'pareto':
      return [foot('mean', t('Mean'), service.mean), raised('alpha', t('Tail'), service.mean * (1 - 1 / service.alpha), `${service.alpha}`)]
    case 'bimodal': {
      const share: Grip = { key: 'pSlow', label: t('Share slow'), along: 'share', at: service.slow, height: service.pSlow, words: percentOf(service.pSlow) }
      return [foot('fast', t('Fast'), service.fast), foot('slow', t('Slow'), service.slow), share]
    }
    case 'empirical':
      return []
  }
}

/** Returns the distribution with a grip pulled to a time or share, within bounds and rounded to few figures. */
export function pulled(service: Service, key: string, to: { readonly time: Micros; readonly height: number }, plane: TimePlane): Service {
  const time = tidyTime(to.time, plane)
  switch (service.kind) {
    case 'uniform':
      return key === 'min' ? { ...service, min: Math.min(service.max, time) } : { ...service, max: Math.max(service.min, time) }
    case 'bimodal':
      return { ...service, [key]: key === 'pSlow' ? clamp(Math.round(to.height * 100) / 100, 0, 1) : time }
    case 'empirical':
      return service
  }
  if (key === 'mean') return { ...service, mean: time }
  const beyond = Math.max(0, to.time / service.mean - 1)
  switch (service.kind) {
    case 'erlang':
      return { ...service, k: clamp(Math.round(1 / (beyond * beyond || 1e-6)), 1, MAX_ERLANG_K) }
    case 'lognormal':
      return { ...service, cv: clamp(tidy(beyond), 0, MAX_CV) }
    case 'pareto': {
      const share = clamp(to.time / service.mean, 0, 1 - 1 / MAX_ALPHA)
      return { ...service, alpha: clamp(Number((1 / (1 - share)).toPrecision(3)), MIN_ALPHA, MAX_ALPHA) }
    }
    default:
      return service
  }
}

/** Returns the distribution after an arrow key: a hundredth of the axis further, or more if that changes nothing. */
export function stepped(service: Service, key: string, steps: number, plane: TimePlane): Service {
  const grip = gripsOf(service).find((each) => each.key === key)
  if (grip === undefined) return service
  const from = shareOf(plane, grip.at)
  const own = (next: Service) => (next as unknown as Record<string, number>)[key]
  for (let n = 1; n <= 200; n++) {
    const by = (steps * n) / 100
    const next = pulled(service, key, { time: timeAtShare(plane, from + (grip.along === 'time' ? by : 0)), height: grip.height + by }, plane)
    if (own(next) !== own(service)) return next
  }
  return service
}

/** Returns the times of all grips. */
function timesOf(service: Service): readonly Micros[] {
  return gripsOf(service).map(({ at }) => at)
}

/** Returns a time rounded to about a pixel, and to two figures at least. */
function tidyTime(time: Micros, { from, to, log }: TimePlane): Micros {
  if (log) return Math.max(1, Math.round(tidy(time)))
  const step = Math.max(1, powerBelow((to - from) / 100))
  return Math.max(1, Math.round(time / step) * step)
}

const tidy = (value: number): number => Number(value.toPrecision(2))
const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))
const percentOf = (share: number): string => `${Number((share * 100).toPrecision(3))}%`
