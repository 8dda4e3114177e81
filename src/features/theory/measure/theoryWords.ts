import { isolated, t } from '../../../language/translate.ts'
import type { Micros, PerSecond } from '../../../scenario/model/scenario.ts'
import type { Forecast, Law, Waits } from './forecast.ts'

/** How numbers are written. */
export type Write = { time(us: Micros): string; rate(perSecond: PerSecond): string; number(x: number): string }

/**
 * Returns the calculation behind a forecast, a sentence a step. S: mean service time, λ: arrivals, p: share of the jobs, ρ: load, c: workers,
 * a: λS, v: coefficient of variation.
 */
export function explainForecast(forecast: Forecast, write: Write): string[] {
  const { arrivalRate, stations, meanFlowTime, meanJobsInSystem, meanWait } = forecast
  const rate = `λ = ${write.rate(arrivalRate * 1e6)}`
  const several = stations.length > 1
  return [
    several
      ? t('Jobs arrive at random, {rate}, and each stage is a queue of its own (Jackson’s theorem):', { rate })
      : t('Jobs arrive at random, {rate}.', { rate }),
    ...stations.map(
      (station) =>
        `${several ? `${isolated(station.name)}: ` : ''}${explainLoad(station, write)} ${explainWait(station, write)}`,
    ),
    ...(several ? [] : explainClasses(stations[0], write)),
    t(
      'Flow time = waits + services = {flow}. By Little’s law: queue = λ × wait = {queue}; jobs in the system = λ × flow time = {inside}.',
      {
        flow: write.time(meanFlowTime),
        queue: write.number(arrivalRate * meanWait),
        inside: write.number(meanJobsInSystem),
      },
    ),
  ]
}

/** Returns the load of a station as a calculation. */
function explainLoad({ servers, mean, load, share }: Waits, write: Write): string {
  const S = `${share < 1 ? `p = ${write.number(share)}, ` : ''}S = ${write.time(mean)}`
  const λ = share < 1 ? 'pλ' : 'λ'
  if (servers === 1) return `${S}, ρ = ${λ}S = ${write.number(load)}.`
  return `${S}, a = ${λ}S = ${write.number(load * servers)}, c = ${servers}, ρ = a/c = ${write.number(load)}.`
}

/** Returns the mean wait at a station as a calculation. */
function explainWait({ law, servers, mean, variance, load, waits, meanWait }: Waits, write: Write): string {
  const [S, wait, ρ, left] = [write.time(mean), write.time(meanWait), write.number(load), write.number(1 - load)]
  if (law === 'M/M/1') return t('Wait = ρ S / (1 − ρ) = {load} × {S} / {left} = {wait}.', { load: ρ, S, left, wait })
  if (law === 'M/G/1')
    return t('Wait = (1 + v²)/2 × ρ S / (1 − ρ), v² = {v2}: (1 + {v2})/2 × {load} × {S} / {left} = {wait}.', {
      v2: write.number(variance / (mean * mean)),
      load: ρ,
      S,
      left,
      wait,
    })
  return t('A job has to wait with probability C(c, a) = {C}; wait = C S / (c − a) = {C} × {S} / {servers} = {wait}.', {
    C: write.number(waits),
    S,
    servers: write.number(servers * (1 - load)),
    wait,
  })
}

function explainClasses({ classes, classWaits, meanWait, load }: Waits, write: Write): string[] {
  if (classes === null) return []
  if (classWaits === null) return [t('No law is known for the waits of classes that age.')]
  return [
    t(
      'A class waits W₀ / ((1 − s)(1 − t)): W₀ = (1 − ρ) × mean wait = {W0}, s is the load of the classes before it, t that with its own (Cobham 1954).',
      { W0: write.time(meanWait * (1 - load)) },
    ),
  ]
}

/** Returns the name of each law, and its authors. */
export const laws = (): Readonly<Record<Law, { readonly name: string; readonly by: string }>> => ({
  'M/M/1': { name: 'M/M/1', by: 'Erlang 1917' },
  'M/M/c': { name: t('M/M/c, Erlang C'), by: 'Erlang 1917' },
  'M/G/1': { name: t('M/G/1, Pollaczek-Khinchine'), by: 'Pollaczek 1930, Khinchine 1932' },
  tandem: { name: t('Tandem of M/M/c queues'), by: 'Burke 1956, Jackson 1957' },
  network: { name: t('Jackson network'), by: 'Jackson 1957' },
})
