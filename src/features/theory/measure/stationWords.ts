import { t } from '../../../language/translate.ts'
import type { Micros, PerSecond } from '../../../scenario/model/scenario.ts'
import type { Waits } from './forecast.ts'
import { erlangC } from './formulas.ts'

/** How numbers are written. */
export interface Write {
  time(us: Micros): string
  rate(perSecond: PerSecond): string
  number(x: number): string
}

/** Returns the load of a station as a calculation. S: mean service time, λ: arrivals, ρ: load, c: workers, a: λS. */
export function explainLoad({ servers, mean, load, share }: Waits, write: Write): string {
  const S = `S = ${write.time(mean)}`
  const λ = share < 1 ? 'pλ' : 'λ'
  if (servers === 1) return `${S}, ρ = ${λ}S = ${write.number(load)}.`
  return `${S}, a = ${λ}S = ${write.number(load * servers)}, c = ${servers}, ρ = a/c = ${write.number(load)}.`
}

/** Returns the mean wait at a station as a calculation. v: coefficient of variation of the services. */
export function explainWait(station: Waits, write: Write): string {
  const { law, servers, mean, variance, load, waits, meanWait } = station
  const [S, wait, ρ, left] = [write.time(mean), write.time(meanWait), write.number(load), write.number(1 - load)]
  const v2 = write.number(variance / (mean * mean))
  switch (law) {
    case 'M/M/1':
      return `Wait = ρ S / (1 − ρ) = ${ρ} × ${S} / ${left} = ${wait}.`
    case 'M/D/1':
      return t('Wait = ρ S / (2 (1 − ρ)) = {load} × {S} / (2 × {left}) = {wait}: half of what random services would cost.', { load: ρ, S, left, wait })
    case 'M/G/1':
      return t('Wait = (1 + v²)/2 × ρ S / (1 − ρ), v² = {v2}: (1 + {v2})/2 × {load} × {S} / {left} = {wait}.', { v2, load: ρ, S, left, wait })
    case 'M/D/c':
      return t('By Crommelin’s formula a job has to wait with probability {waits}, and the wait is {wait}; random services would cost {random}.', {
        waits: write.number(waits),
        wait,
        random: write.time((erlangC(servers, load * servers) * mean) / (servers * (1 - load))),
      })
    case 'M/G/1-SJF':
      return t('With first come, first served, the wait would be {fifo}. Here shorter jobs go first, and the mean is {wait}.', {
        fifo: write.time((load * mean * (1 + variance / (mean * mean))) / (2 * (1 - load))),
        wait,
      })
    case 'D/M/1':
      return t('A job has to wait with probability p = e^(−(1 − p)/ρ) = {p}; wait = p S / (1 − p) = {wait}.', { p: write.number(waits), wait })
    case 'G/G/c':
      return explainNearly(station, write)
    default: {
      const C = write.number(waits)
      return t('A job has to wait with probability C(c, a) = {C}; wait = C S / (c − a) = {C} × {S} / {servers} = {wait}.', {
        C,
        S,
        servers: write.number(servers * (1 - load)),
        wait,
      })
    }
  }
}

function explainNearly({ gaps, servers, mean, variance, load, meanWait }: Waits, write: Write): string {
  const wait = write.time(meanWait)
  const v2 = write.number(variance / (mean * mean))
  const random = write.time((erlangC(servers, load * servers) * mean) / (servers * (1 - load)))
  if (gaps === 1) return t('The wait is about (1 + v²)/2 of that with exponential services, {random}; v² = {v2}: {wait}.', { random, v2, wait })
  const about = t('The wait is about v²/2 × e^(−2 (1 − ρ)/(3 ρ v²)) of that with exponential services and jobs at random, {random}; v² = {v2}: {wait}.', {
    random,
    v2,
    wait,
  })
  // Kingman's bound with gaps that do not vary.
  const bound = (load * variance) / mean / (2 * (1 - load))
  return servers > 1 ? about : `${about} ${t('It is at most {bound} (Kingman 1962).', { bound: write.time(bound) })}`
}

/** Returns what the order of service or a bound of the queue does at a station that has only that one law. */
export function explainOrder({ law, discipline, room, outside, meanWait, mean, load }: Waits, write: Write): string[] {
  if (room !== null)
    return [
      t(
        'No job is lost: the source holds jobs back while the queue is full, {outside} on average. Waits count from the arrival, so they are the same as without a bound.',
        { outside: write.number(outside) },
      ),
    ]
  if (law !== 'M/M/1' || discipline !== 'lifo') return []
  // E[W^2] of first come first served, which last come first served divides by 1 - load (Kingman 1962, Riordan 1962).
  const square = (2 * load * mean * mean) / ((1 - load) * (1 - load))
  const deviation = (of: number) => write.time(Math.sqrt(of - meanWait * meanWait))
  return [
    t('With last come, first served, jobs wait equally long on average, but less evenly: the standard deviation is {lifo}, not {fifo}.', {
      lifo: deviation(square / (1 - load)),
      fifo: deviation(square),
    }),
  ]
}
