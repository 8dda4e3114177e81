import { isolated, t } from '../../../language/translate.ts'
import type { Micros, PerSecond } from '../../../scenario/model/scenario.ts'
import type { Forecast, Law, Waits } from './forecast.ts'
import { erlangC } from './formulas.ts'

/** How numbers are written. */
export type Write = { time(us: Micros): string; rate(perSecond: PerSecond): string; number(x: number): string }

/**
 * Returns the calculation behind a forecast, a sentence a step. S: mean service time, λ: arrivals, ρ: load, c: workers, a: λS,
 * v: coefficient of variation.
 */
export function explainForecast(forecast: Forecast, write: Write): string[] {
  if (forecast.law === 'line') return explainLine(forecast, write)
  const { arrivalRate, stations, meanFlowTime, meanJobsInSystem, meanWait } = forecast
  const rate = { rate: `λ = ${write.rate(arrivalRate * 1e6)}` }
  const [only] = stations
  const totals = { meanFlowTime: write.time(meanFlowTime), meanJobsInSystem: write.number(meanJobsInSystem) }
  const explained = (station: Waits) => `${explainLoad(station, write)} ${explainWait(station, write)}`
  if (forecast.law === 'network')
    return [
      t(
        'Jobs arrive at random, {rate}, and are routed at random. By Jackson’s theorem each stage is as if its share p of them arrived at random, at pλ:',
        rate,
      ),
      ...stations.map(
        (station) => `${isolated(station.name)}: p = ${write.number(station.share)}, ${explained(station)}`,
      ),
      t(
        'Flow time = all p (wait + S) together = {meanFlowTime}; jobs in the system = λ × flow time = {meanJobsInSystem} (Little’s law).',
        totals,
      ),
    ]
  if (forecast.law === 'fork') return explainFork(forecast, rate, totals, write)
  if (forecast.law === 'blocking') return explainBlocking(forecast, rate, totals, write)
  if (stations.length > 1)
    return [
      t(
        'Jobs come at random, {rate}. By Burke’s theorem they leave each stage at random too, so that each is a queue of its own:',
        rate,
      ),
      ...stations.map((station) => `${isolated(station.name)}: ${explained(station)}`),
      t(
        'Flow time = all waits + all services = {meanFlowTime}; jobs in the system = λ × flow time = {meanJobsInSystem} (Little’s law).',
        totals,
      ),
    ]
  const first = { ...rate, only: explainLoad(only, write) }
  if (only.patience < Infinity) return explainImpatience(only, rate, forecast, write)
  if (only.threads > 0) return explainSharing(only, rate, forecast, write)
  return [
    only.gaps === 0
      ? t('Jobs come at a steady pace, {rate}. {only}', first)
      : t('Jobs come at random, {rate}. {only}', first),
    explainWait(only, write),
    ...explainOrder(only, write),
    t(
      'By Little’s law: queue = λ × wait = {arrivalRate}; flow time = wait + S = {meanFlowTime}; jobs in the system = λ × flow time = {meanJobsInSystem}.',
      {
        ...totals,
        arrivalRate: write.number(arrivalRate * meanWait),
      },
    ),
  ]
}

type Texts = Readonly<Record<string, string>>

function explainImpatience(
  { servers, waits, gaveUp, meanWait, mean, patience }: Waits,
  rate: Texts,
  { meanFlowTime, meanJobsInSystem, arrivalRate }: Forecast,
  write: Write,
): string[] {
  const values = {
    waits: write.number(waits),
    gaveUp: write.number(gaveUp),
    wait: write.time(meanWait),
    patience: write.time(patience),
    S: write.time(mean),
  }
  return [
    t('Jobs come at random, {rate}. S = {S}, a = λS = {a}, c = {c}.', {
      ...rate,
      ...values,
      a: write.number(arrivalRate * mean),
      c: `${servers}`,
    }),
    t(
      'By Erlang A a job has to wait with probability {waits}. The mean wait of all jobs is {wait}, with those that are given up.',
      values,
    ),
    t(
      'Clients give up after {patience} on average, so they give up the share wait / patience = {wait} / {patience} = {gaveUp}.',
      values,
    ),
    t(
      'Flow time = wait + (1 − {gaveUp}) S = {flow}; queue = λ × wait = {queue}; jobs in the system = λ × flow time = {inside} (Little’s law).',
      {
        ...values,
        flow: write.time(meanFlowTime),
        queue: write.number(arrivalRate * meanWait),
        inside: write.number(meanJobsInSystem),
      },
    ),
  ]
}

function explainFork({ stations }: Forecast, rate: Texts, totals: Texts, write: Write): string[] {
  const parts = stations.filter(({ hasSuccessor }) => !hasSuccessor)
  const [part] = parts
  const values = { parts: parts.length, one: write.time(part.meanWait + part.mean), load: write.number(part.load) }
  return [
    t('Jobs come at random, {rate}, and so do their parts at each stage:', rate),
    ...stations.map(
      (station) => `${isolated(station.name)}: ${explainLoad(station, write)} ${explainWait(station, write)}`,
    ),
    parts.length === 2
      ? t(
          'A part takes {one}. Both parts together take (12 − ρ)/8 of that on average, since the same arrivals load both.',
          values,
        )
      : t(
          'A part takes {one}. All {parts} together take about (12 − ρ)/8 × (h + 4/11 (1 − h) ρ) of that on average, with h = (1 + 1/2 + … + 1/{parts}) / 1.5.',
          values,
        ),
    t('Flow time = {meanFlowTime}; jobs in the system = λ × flow time = {meanJobsInSystem} (Little’s law).', totals),
  ]
}

function explainBlocking({ stations: [first, second] }: Forecast, rate: Texts, totals: Texts, write: Write): string[] {
  return [
    t(
      'Jobs come at random, {rate}. {first} starts a job only when {second} will have room for it, {room, plural, =1 {for one job} one {for # job} other {for # jobs}} in its queue.',
      { ...rate, first: first.name, second: second.name, room: second.room ?? 0 },
    ),
    ...[first, second].map((station) => `${isolated(station.name)}: ${explainLoad(station, write)}`),
    t('The equations of the numbers of jobs at both stages give the waits: {first} and {second}.', {
      first: write.time(first.meanWait),
      second: write.time(second.meanWait),
    }),
    t(
      'Flow time = all waits + all services = {meanFlowTime}; jobs in the system = λ × flow time = {meanJobsInSystem} (Little’s law).',
      totals,
    ),
  ]
}

function explainSharing(
  { threads, servers, mean, stretch, meanWait, waits, load, shape, stages }: Waits,
  rate: Texts,
  forecast: Forecast,
  write: Write,
): string[] {
  const { meanFlowTime, meanJobsInSystem, arrivalRate } = forecast
  const [S, flow, ρ] = [write.time(mean), write.time(meanFlowTime), write.number(load)]
  const cores = servers === 1 ? t('one core') : t('{n} cores', { n: servers })
  const loads = servers === 1 ? `S = ${S}, ρ = λS = ${ρ}` : `S = ${S}, c = ${servers}, ρ = λS/c = ${ρ}`
  const known = shape === 'exponential' && stages.length === 1
  const whatever = known ? '' : t(', whatever the distribution of the services')
  const sum =
    servers === 1
      ? t('Flow time = S / (1 − ρ) = {S} / {load} = {flow}{whatever}.', {
          S,
          load: write.number(1 - load),
          flow,
          whatever,
        })
      : t('As many jobs are there as at {servers} workers with one queue (Erlang C), so that flow time = {flow}.', {
          servers,
          flow,
        })
  const split = known
    ? t(
        'A job finds {threads, plural, =1 {the one thread} one {all # threads} other {all # threads}} taken with probability {waits}: wait for one = {meanWait}, and then it is served {stretch} times as long as alone.',
        { threads, waits: write.number(waits), meanWait: write.time(meanWait), stretch: write.number(stretch) },
      )
    : t(
        'Almost no job finds {threads, plural, =1 {the one thread} one {all # threads} other {all # threads}} of a stage taken, so no job waits: each is served {stretch} times as long as alone.',
        { threads, stretch: write.number(stretch) },
      )
  const totals = {
    arrivalRate: write.number(arrivalRate * 1e6),
    flow,
    meanJobsInSystem: write.number(meanJobsInSystem),
  }
  return [
    t('Jobs come at random, {rate}; the threads share {cores} evenly. {loads}.', { ...rate, cores, loads }),
    sum,
    split,
    t('By Little’s law: jobs in the system = λ × flow time = {arrivalRate}/s × {flow} = {meanJobsInSystem}.', totals),
  ]
}

function explainLine({ stations, arrivalRate, jobs, makespan, meanWait }: Forecast, write: Write): string[] {
  const gap = arrivalRate > 0 ? 1 / arrivalRate : 0
  const whole = stations.reduce((sum, { mean }) => sum + mean, 0)
  const slowest = stations.reduce((most, station) => (station.mean > most.mean ? station : most))
  const others = jobs - 1
  const come = gap > 0 ? t('A job comes every {gap}', { gap: write.time(gap) }) : t('All jobs come at once')
  const texts = {
    come,
    jobs: write.number(jobs),
    others: write.number(others),
    whole: write.time(whole),
    end: write.time(makespan ?? 0),
  }
  if (slowest.mean <= gap)
    return [
      t(
        '{come}, and no stage takes longer: no job waits. The last of {jobs} comes after {others} gaps and takes {whole}: {end}.',
        texts,
      ),
    ]
  const slow = { ...texts, name: slowest.name, mean: write.time(slowest.mean) }
  const behind = gap > 0 ? `${write.time(slowest.mean)} − ${write.time(gap)}` : write.time(slowest.mean)
  return [
    t('{come}; one takes {whole} by itself, and the slowest stage, {name}, lets one out every {mean}.', slow),
    t('Makespan = {whole} + {others} × {mean} = {end}.', slow),
    t('Each job waits longer than the one before by {behind}; mean wait = {others}/2 × {gap} = {meanWait}.', {
      ...texts,
      behind,
      gap: gap > 0 ? `(${behind})` : behind,
      meanWait: write.time(meanWait),
    }),
  ]
}

/** Returns the load of a station as a calculation. S: mean service time, λ: arrivals, ρ: load, c: workers, a: λS. */
function explainLoad({ servers, mean, load, share }: Waits, write: Write): string {
  const S = `S = ${write.time(mean)}`
  const λ = share < 1 ? 'pλ' : 'λ'
  if (servers === 1) return `${S}, ρ = ${λ}S = ${write.number(load)}.`
  return `${S}, a = ${λ}S = ${write.number(load * servers)}, c = ${servers}, ρ = a/c = ${write.number(load)}.`
}

/** Returns the mean wait at a station as a calculation. v: coefficient of variation of the services. */
function explainWait(station: Waits, write: Write): string {
  const { law, servers, mean, variance, load, waits, meanWait } = station
  const [S, wait, ρ, left] = [write.time(mean), write.time(meanWait), write.number(load), write.number(1 - load)]
  const v2 = write.number(variance / (mean * mean))
  switch (law) {
    case 'M/M/1':
      return `Wait = ρ S / (1 − ρ) = ${ρ} × ${S} / ${left} = ${wait}.`
    case 'M/D/1':
      return t(
        'Wait = ρ S / (2 (1 − ρ)) = {load} × {S} / (2 × {left}) = {wait}: half of what random services would cost.',
        { load: ρ, S, left, wait },
      )
    case 'M/G/1':
      return t('Wait = (1 + v²)/2 × ρ S / (1 − ρ), v² = {v2}: (1 + {v2})/2 × {load} × {S} / {left} = {wait}.', {
        v2,
        load: ρ,
        S,
        left,
        wait,
      })
    case 'M/D/c': {
      const values = { waits: write.number(waits), wait, random: write.time(randomWait(station)) }
      return t(
        'By Crommelin’s formula a job has to wait with probability {waits}, and the wait is {wait}; random services would cost {random}.',
        values,
      )
    }
    case 'M/G/1-SJF': {
      const fifo = write.time((load * mean * (1 + variance / (mean * mean))) / (2 * (1 - load)))
      return t(
        'With first come, first served, the wait would be {fifo}. Here shorter jobs go first, and the mean is {wait}.',
        { fifo, wait },
      )
    }
    case 'D/M/1':
      return t('A job has to wait with probability p = e^(−(1 − p)/ρ) = {p}; wait = p S / (1 − p) = {wait}.', {
        p: write.number(waits),
        wait,
      })
    case 'G/G/c':
      return explainApproximation(station, write)
    default: {
      const values = { C: write.number(waits), S, servers: write.number(servers * (1 - load)), wait }
      return t(
        'A job has to wait with probability C(c, a) = {C}; wait = C S / (c − a) = {C} × {S} / {servers} = {wait}.',
        values,
      )
    }
  }
}

/** The wait that exponential services would cost. */
const randomWait = ({ servers, load, mean }: Waits): number =>
  (erlangC(servers, load * servers) * mean) / (servers * (1 - load))

function explainApproximation(station: Waits, write: Write): string {
  const { gaps, servers, mean, variance, load, meanWait } = station
  const values = {
    random: write.time(randomWait(station)),
    v2: write.number(variance / (mean * mean)),
    wait: write.time(meanWait),
  }
  if (gaps === 1)
    return t('The wait is about (1 + v²)/2 of that with exponential services, {random}; v² = {v2}: {wait}.', values)
  const about = t(
    'The wait is about v²/2 × e^(−2 (1 − ρ)/(3 ρ v²)) of that with exponential services and jobs at random, {random}; v² = {v2}: {wait}.',
    values,
  )
  // Kingman's bound with gaps that do not vary.
  const bound = (load * variance) / mean / (2 * (1 - load))
  return servers > 1 ? about : `${about} ${t('It is at most {bound} (Kingman 1962).', { bound: write.time(bound) })}`
}

/** Returns the effect of the order of service, or of a bounded queue, at a station with only that law. */
function explainOrder(
  { law, discipline, classes, classWaits, room, outside, meanWait, mean, load }: Waits,
  write: Write,
): string[] {
  if (room !== null)
    return [
      t(
        'No job is lost: the source holds jobs back while the queue is full, {outside} on average. Waits count from the arrival, so they are the same as without a bound.',
        { outside: write.number(outside) },
      ),
    ]
  if (classes !== null) return explainClasses(classes.age, classWaits, write.time(meanWait * (1 - load)))
  if (law !== 'M/M/1' || discipline !== 'lifo') return []
  // E[W^2] of first come first served, which last come first served divides by 1 - load (Kingman 1962, Riordan 1962).
  const square = (2 * load * mean * mean) / ((1 - load) * (1 - load))
  const deviation = (of: number) => write.time(Math.sqrt(of - meanWait * meanWait))
  return [
    t(
      'With last come, first served, jobs wait equally long on average, but less evenly: the standard deviation is {lifo}, not {fifo}.',
      {
        lifo: deviation(square / (1 - load)),
        fifo: deviation(square),
      },
    ),
  ]
}

function explainClasses(age: boolean, classWaits: Waits['classWaits'], W0: string): string[] {
  const same = t(
    'Urgent jobs go first, and the others wait longer. The mean wait of all jobs stays the same (Kleinrock 1965).',
  )
  if (classWaits !== null)
    return [
      same,
      t(
        'A class waits W₀ / ((1 − s)(1 − t)): W₀ = (1 − ρ) × mean wait = {W0}, s is the load of the classes before it, t that with its own (Cobham 1954).',
        {
          W0,
        },
      ),
    ]
  return [
    same,
    age
      ? t('With ageing, only bounds are known for the waits of the classes (Jackson 1960).')
      : t('No law is known here for the waits of the classes.'),
  ]
}

/** Returns the name of each law, and its authors. */
export const laws = (): Readonly<Record<Law, { readonly name: string; readonly by: string }>> => ({
  'M/M/1': { name: 'M/M/1', by: 'Erlang 1917' },
  'M/M/c': { name: t('M/M/c, Erlang C'), by: 'Erlang 1917' },
  'M/M/c+M': { name: t('M/M/c+M, Erlang A'), by: t('Palm 1957; Garnett, Mandelbaum and Reiman 2002') },
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
