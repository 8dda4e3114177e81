import { t } from '../../../language/translate.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { blockedLine, mostThrough } from './blockedLine.ts'
import { type Forecast, forecastFrom, relaxationOf, type Waits } from './forecast.ts'
import type { Station } from './stations.ts'

/** A queue of more jobs is next to one without bound; the equations grow with it. */
export const MOST_ROOM = 60

/** Whether these are two stages with a bounded queue between them for which a law is known. */
export function isBlockedLine(stations: readonly Station[]): boolean {
  const [first, second] = stations
  if (stations.length !== 2 || first.room !== null || second.room === null || second.room > MOST_ROOM || first.share !== 1 || second.share !== 1) return false
  return (
    first.goesOn &&
    stations.every(({ servers, shape, threads, discipline }) => servers === 1 && shape === 'exponential' && threads === 0 && discipline !== 'shortest')
  )
}

/** Returns why such a line has no steady state: it lets fewer jobs through than each of its stages alone. */
export function unstableLine([first, second]: readonly Station[], rate: number): string[] {
  if (rate * first.mean < mostThrough(first.mean, second.mean, second.room ?? 0)) return []
  return [
    t('The queue between {first} and {second} is so short that they let fewer jobs through than come: the queue before grows without end.', {
      first: first.name,
      second: second.name,
    }),
  ]
}

/** Returns the forecast of two stages of which the first starts a job only when the queue between them has room for it. */
export function blockedForecast(scenario: Scenario, [first, second]: readonly Station[], rate: number): Forecast {
  const room = second.room ?? 0
  const { before, between, full } = blockedLine(rate, first.mean, second.mean, room)
  const most = mostThrough(first.mean, second.mean, room)
  const waits = [
    { station: first, queue: before, waiting: rate * first.mean + full },
    { station: second, queue: between, waiting: rate * second.mean },
  ].map(({ station, queue, waiting }): Waits => {
    const load = rate * station.mean
    // The line as a whole remembers like a queue that is as near to its limit.
    const relaxation = relaxationOf(station, station === first ? load / most : load)
    return { ...station, law: 'M/M/1', gaps: 1, load, waits: Math.min(1, waiting), meanWait: queue / rate, outside: 0, stretch: 1, relaxation }
  })
  return forecastFrom(scenario, 'blocking', waits, rate)
}
