import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import type { Forecast, Law, Waits } from './forecast.ts'
import { explainLoad, explainOrder, explainWait, type Write } from './stationWords.ts'

/**
 * Returns the calculation behind a forecast, a sentence a step. S: mean service time, λ: arrivals, ρ: load, c: workers, a: λS,
 * v: coefficient of variation.
 */
export function explainForecast(forecast: Forecast, write: Write): string[] {
  if (forecast.law === 'line') return explainLine(forecast, write)
  const { arrivalRate, stations, meanFlowTime, meanJobsInSystem, meanWait } = forecast
  const λ = `λ = ${write.rate(arrivalRate * 1e6)}`
  const [only] = stations
  const totals = { meanFlowTime: write.time(meanFlowTime), meanJobsInSystem: write.number(meanJobsInSystem) }
  const explained = (station: Waits) => `${explainLoad(station, write)} ${explainWait(station, write)}`
  if (forecast.law === 'network')
    return [
      t('Jobs arrive at random, {rate}, and are routed at random. By Jackson’s theorem each stage is as if its share p of them arrived at random, at pλ:', {
        rate: λ,
      }),
      ...stations.map((station) => `${isolated(station.name)}: p = ${write.number(station.share)}, ${explained(station)}`),
      t('Flow time = all p (wait + S) together = {meanFlowTime}; jobs in the system = λ × flow time = {meanJobsInSystem} (Little’s law).', totals),
    ]
  if (forecast.law === 'fork') return explainFork(forecast, λ, write)
  if (forecast.law === 'blocking') return explainBlocking(forecast, λ, write)
  if (stations.length > 1)
    return [
      t('Jobs come at random, {rate}. By Burke’s theorem they leave each stage at random too, so that each is a queue of its own:', { rate: λ }),
      ...stations.map((station) => `${isolated(station.name)}: ${explained(station)}`),
      t('Flow time = all waits + all services = {meanFlowTime}; jobs in the system = λ × flow time = {meanJobsInSystem} (Little’s law).', totals),
    ]
  if (only.threads > 0) return explainSharing(only, λ, forecast, write)
  return [
    only.gaps === 0
      ? t('Jobs come at a steady pace, {rate}. {only}', { rate: λ, only: explainLoad(only, write) })
      : t('Jobs come at random, {rate}. {only}', { rate: λ, only: explainLoad(only, write) }),
    explainWait(only, write),
    ...explainOrder(only, write),
    t('By Little’s law: queue = λ × wait = {arrivalRate}; flow time = wait + S = {meanFlowTime}; jobs in the system = λ × flow time = {meanJobsInSystem}.', {
      ...totals,
      arrivalRate: write.number(arrivalRate * meanWait),
    }),
  ]
}

function explainFork({ stations, meanFlowTime, meanJobsInSystem }: Forecast, λ: string, write: Write): string[] {
  const parts = stations.filter(({ goesOn }) => !goesOn)
  const [part] = parts
  const values = { parts: parts.length, one: write.time(part.meanWait + part.mean), load: write.number(part.load) }
  return [
    t('Jobs come at random, {rate}, and so do their parts at each stage:', { rate: λ }),
    ...stations.map((station) => `${isolated(station.name)}: ${explainLoad(station, write)} ${explainWait(station, write)}`),
    parts.length === 2
      ? t('A part takes {one}. Both parts together take (12 − ρ)/8 of that on average, since the same arrivals load both.', values)
      : t(
          'A part takes {one}. All {parts} together take about (12 − ρ)/8 × (h + 4/11 (1 − h) ρ) of that on average, with h = (1 + 1/2 + … + 1/{parts}) / 1.5.',
          values,
        ),
    t('Flow time = {meanFlowTime}; jobs in the system = λ × flow time = {meanJobsInSystem} (Little’s law).', {
      meanFlowTime: write.time(meanFlowTime),
      meanJobsInSystem: write.number(meanJobsInSystem),
    }),
  ]
}

function explainBlocking({ stations: [first, second], meanFlowTime, meanJobsInSystem }: Forecast, λ: string, write: Write): string[] {
  return [
    t(
      'Jobs come at random, {rate}. {first} starts a job only when {second} will have room for it, {room, plural, =1 {for one job} one {for # job} other {for # jobs}} in its queue.',
      { rate: λ, first: first.name, second: second.name, room: second.room ?? 0 },
    ),
    ...[first, second].map((station) => `${isolated(station.name)}: ${explainLoad(station, write)}`),
    t('The equations of the numbers of jobs at both stages give the waits: {first} and {second}.', {
      first: write.time(first.meanWait),
      second: write.time(second.meanWait),
    }),
    t('Flow time = all waits + all services = {meanFlowTime}; jobs in the system = λ × flow time = {meanJobsInSystem} (Little’s law).', {
      meanFlowTime: write.time(meanFlowTime),
      meanJobsInSystem: write.number(meanJobsInSystem),
    }),
  ]
}

function explainSharing(
  { threads, servers, mean, stretch, meanWait, waits, load, shape, stages }: Waits,
  λ: string,
  forecast: Forecast,
  write: Write,
): string[] {
  const { meanFlowTime, meanJobsInSystem, arrivalRate } = forecast
  const [S, flow, ρ] = [write.time(mean), write.time(meanFlowTime), write.number(load)]
  const cores = servers === 1 ? t('one core') : t('{n} cores', { n: servers })
  const loads = servers === 1 ? `S = ${S}, ρ = λS = ${ρ}` : `S = ${S}, c = ${servers}, ρ = λS/c = ${ρ}`
  const known = shape === 'exponential' && stages.length === 1
  const sum =
    servers === 1
      ? t('Flow time = S / (1 − ρ) = {S} / {load} = {flow}{whatever}.', {
          S,
          load: write.number(1 - load),
          flow,
          whatever: known ? '' : t(', whatever the distribution of the services'),
        })
      : t('As many jobs are there as at {servers} workers with one queue (Erlang C), so that flow time = {flow}.', { servers, flow })
  const split = known
    ? t(
        'A job finds {threads, plural, =1 {the one thread} one {all # threads} other {all # threads}} taken with probability {waits}: wait for one = {meanWait}, and then it is served {stretch} times as long as alone.',
        { threads, waits: write.number(waits), meanWait: write.time(meanWait), stretch: write.number(stretch) },
      )
    : t(
        'Next to no job finds {threads, plural, =1 {the one thread} one {all # threads} other {all # threads}} of a stage taken, so nobody waits: each is served {stretch} times as long as alone.',
        { threads, stretch: write.number(stretch) },
      )
  return [
    t('Jobs come at random, {rate}; the threads share {cores} evenly. {loads}.', { rate: λ, cores, loads }),
    sum,
    split,
    t('By Little’s law: jobs in the system = λ × flow time = {arrivalRate}/s × {flow} = {meanJobsInSystem}.', {
      arrivalRate: write.number(arrivalRate * 1e6),
      flow,
      meanJobsInSystem: write.number(meanJobsInSystem),
    }),
  ]
}

function explainLine({ stations, arrivalRate, jobs, makespan, meanWait }: Forecast, write: Write): string[] {
  const gap = arrivalRate > 0 ? 1 / arrivalRate : 0
  const whole = stations.reduce((sum, { mean }) => sum + mean, 0)
  const slowest = stations.reduce((most, station) => (station.mean > most.mean ? station : most))
  const others = jobs - 1
  const come = gap > 0 ? t('A job comes every {gap}', { gap: write.time(gap) }) : t('All jobs come at once')
  const end = write.time(makespan ?? 0)
  if (slowest.mean <= gap)
    return [
      t('{come}, and no stage takes longer: nobody waits. The last of {jobs} comes after {others} gaps and takes {whole}: {end}.', {
        come,
        jobs: write.number(jobs),
        others: write.number(others),
        whole: write.time(whole),
        end,
      }),
    ]
  const behind = gap > 0 ? `${write.time(slowest.mean)} − ${write.time(gap)}` : write.time(slowest.mean)
  return [
    t('{come}; one takes {whole} by itself, and the slowest stage, {name}, lets one out every {mean}.', {
      come,
      whole: write.time(whole),
      name: slowest.name,
      mean: write.time(slowest.mean),
    }),
    t('Makespan = {whole} + {others} × {mean} = {end}.', { whole: write.time(whole), others: write.number(others), mean: write.time(slowest.mean), end }),
    t('Each job waits longer than the one before by {behind}; mean wait = {others}/2 × {gap} = {meanWait}.', {
      behind,
      others: write.number(others),
      gap: gap > 0 ? `(${behind})` : behind,
      meanWait: write.time(meanWait),
    }),
  ]
}

/** Returns the name of each law, and who found it. */
export const laws = (): Readonly<Record<Law, { readonly name: string; readonly by: string }>> => ({
  'M/M/1': { name: 'M/M/1', by: 'Erlang 1917' },
  'M/M/c': { name: t('M/M/c, Erlang C'), by: 'Erlang 1917' },
  'M/D/1': { name: 'M/D/1', by: t('Pollaczek 1930, Khinchine 1932') },
  'M/G/1': { name: t('M/G/1, Pollaczek-Khinchine'), by: t('Pollaczek 1930, Khinchine 1932') },
  'M/D/c': { name: 'M/D/c', by: 'Crommelin 1932' },
  'M/G/1-SJF': { name: t('M/G/1, the shortest job first'), by: 'Phipps 1956' },
  'D/M/1': { name: 'D/M/1', by: 'Kendall 1953' },
  'D/D/1': { name: 'D/D/1', by: t('the bottleneck sets the pace') },
  'G/G/c': { name: t('G/G/c, approximated'), by: t('Allen and Cunneen; Kraemer and Langenbach-Belz 1976') },
  'M/M/1-PS': { name: t('M/M/1, processor sharing'), by: 'Kleinrock 1967' },
  'M/M/c-PS': { name: t('M/M/c, processor sharing'), by: 'Kleinrock 1967' },
  'M/G/1-PS': { name: t('M/G/1, processor sharing'), by: t('Kleinrock 1967, Sakata, Noguchi and Oizumi 1969') },
  tandem: { name: t('Tandem of M/M/c queues'), by: t('Burke 1956, Jackson 1957') },
  network: { name: t('Jackson network'), by: 'Jackson 1957' },
  blocking: { name: t('Two stages with a bounded queue between them'), by: t('Konheim and Reiser 1976, Neuts 1968') },
  fork: { name: t('Fork and join'), by: t('Flatto and Hahn 1984, Nelson and Tantawi 1988') },
  line: { name: t('Deterministic line'), by: t('the bottleneck sets the pace') },
})
