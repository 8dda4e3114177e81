import { t } from '../../../language/translate.ts'
import type { Service } from '../../../scenario/model/scenario.ts'
import { serviceMean } from '../../../scenario/model/serviceMean.ts'
import type { Param } from '../../base/forms/param.ts'
import type { SliderRange } from '../../base/forms/Slider.tsx'

/** A distribution of service times, as the form offers it. */
interface ServiceKind {
  readonly name: string
  readonly params: readonly Param[]
}

const time: SliderRange = { least: 10, most: 10_000_000, whole: true }
const mean = (): Param => ({ key: 'mean', label: t('Mean'), kind: 'duration', slider: time })

export const serviceKinds = (): Readonly<Record<Service['kind'], ServiceKind>> => ({
  constant: { name: t('Constant'), params: [{ ...mean(), label: t('Time') }] },
  uniform: {
    name: t('Uniform'),
    params: [
      { key: 'min', label: t('Least'), kind: 'duration', slider: time },
      { key: 'max', label: t('Most'), kind: 'duration', slider: time },
    ],
  },
  exponential: { name: t('Exponential'), params: [mean()] },
  erlang: {
    name: t('Erlang'),
    params: [mean(), { key: 'k', label: t('Phases'), kind: 'number', slider: { least: 1, most: 20, linear: true, whole: true } }],
  },
  lognormal: {
    name: t('Lognormal'),
    params: [mean(), { key: 'cv', label: t('Spread'), kind: 'number', by: 0.1, slider: { least: 0.05, most: 5 }, hint: t('Standard deviation over mean') }],
  },
  pareto: {
    name: t('Pareto'),
    params: [mean(), { key: 'alpha', label: t('Tail'), kind: 'number', by: 0.1, slider: { least: 1.05, most: 10 }, hint: t('The smaller, the heavier') }],
  },
  bimodal: {
    name: t('Two times'),
    params: [
      { key: 'fast', label: t('Fast'), kind: 'duration', slider: time },
      { key: 'slow', label: t('Slow'), kind: 'duration', slider: time },
      { key: 'pSlow', label: t('Share slow'), kind: 'number', by: 0.01, slider: { least: 0, most: 1, linear: true } },
    ],
  },
  empirical: { name: t('Measured times'), params: [{ key: 'values', label: t('Times'), kind: 'samples' }] },
})

/** Returns another distribution with the same mean. */
export function serviceOfKind(kind: Service['kind'], before: Service): Service {
  const mean = Math.max(1, Math.round(serviceMean(before)))
  const part = (share: number) => Math.max(1, Math.round(mean * share))
  const values: { readonly [K in Service['kind']]: Omit<Extract<Service, { readonly kind: K }>, 'kind'> } = {
    constant: { mean },
    uniform: { min: part(0.5), max: part(1.5) },
    exponential: { mean },
    erlang: { mean, k: 4 },
    lognormal: { mean, cv: 0.6 },
    pareto: { mean, alpha: 2.5 },
    bimodal: { fast: part(0.5), slow: part(5.5), pSlow: 0.1 },
    empirical: { values: [part(0.5), part(0.75), mean, part(1.75)] },
  }
  return { kind, ...values[kind] } as Service
}
