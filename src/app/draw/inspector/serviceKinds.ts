import { say } from '../../../language/say.ts'
import type { Service } from '../../../scenario/model/scenario.ts'
import { serviceMean } from '../../../scenario/model/serviceMean.ts'
import type { Param } from '../../base/forms/param.ts'
import type { SliderRange } from '../../base/forms/Slider.tsx'

/** The distributions of a service time, as the form offers them. */
interface ServiceKind {
  readonly name: string
  readonly params: readonly Param[]
}

const time: SliderRange = { least: 10, most: 10_000_000, whole: true }
const mean = (): Param => ({ key: 'mean', label: say('Mean'), kind: 'duration', slider: time })

export const serviceKinds = (): Readonly<Record<Service['kind'], ServiceKind>> => ({
  constant: { name: say('Constant'), params: [{ ...mean(), label: say('Time') }] },
  uniform: {
    name: say('Uniform'),
    params: [
      { key: 'min', label: say('Least'), kind: 'duration', slider: time },
      { key: 'max', label: say('Most'), kind: 'duration', slider: time },
    ],
  },
  exponential: { name: say('Exponential'), params: [mean()] },
  erlang: {
    name: say('Erlang'),
    params: [mean(), { key: 'k', label: say('Phases'), kind: 'number', slider: { least: 1, most: 20, linear: true, whole: true } }],
  },
  lognormal: {
    name: say('Lognormal'),
    params: [mean(), { key: 'cv', label: say('Spread'), kind: 'number', by: 0.1, slider: { least: 0.05, most: 5 }, hint: say('Standard deviation over mean') }],
  },
  pareto: {
    name: say('Pareto'),
    params: [mean(), { key: 'alpha', label: say('Tail'), kind: 'number', by: 0.1, slider: { least: 1.05, most: 10 }, hint: say('The smaller, the heavier') }],
  },
  bimodal: {
    name: say('Two times'),
    params: [
      { key: 'fast', label: say('Fast'), kind: 'duration', slider: time },
      { key: 'slow', label: say('Slow'), kind: 'duration', slider: time },
      { key: 'pSlow', label: say('Share slow'), kind: 'number', by: 0.01, slider: { least: 0, most: 1, linear: true } },
    ],
  },
  empirical: { name: say('Measured times'), params: [{ key: 'values', label: say('Times'), kind: 'samples' }] },
})

/** Another distribution with the same mean. */
export function serviceOfKind(kind: Service['kind'], before: Service): Service {
  const mean = Math.max(1, Math.round(serviceMean(before)))
  const part = (share: number) => Math.max(1, Math.round(mean * share))
  switch (kind) {
    case 'constant':
    case 'exponential':
      return { kind, mean }
    case 'uniform':
      return { kind, min: part(0.5), max: part(1.5) }
    case 'erlang':
      return { kind, mean, k: 4 }
    case 'lognormal':
      return { kind, mean, cv: 0.6 }
    case 'pareto':
      return { kind, mean, alpha: 2.5 }
    case 'bimodal':
      return { kind, fast: part(0.5), slow: part(5.5), pSlow: 0.1 }
    case 'empirical':
      return { kind, values: [part(0.5), part(0.75), mean, part(1.75)] }
  }
}
