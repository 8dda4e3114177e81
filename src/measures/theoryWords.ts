import type { Micros, PerSecond } from '../scenario/scenario.ts'
import type { Forecast, Law, Waits } from './forecast.ts'

/** Each law by the name that people know, and who found it. */
export const laws: Readonly<Record<Law, { readonly name: string; readonly by: string }>> = {
  'M/M/1': { name: 'M/M/1', by: 'Erlang 1917' },
  'M/M/c': { name: 'M/M/c, Erlang C', by: 'Erlang 1917' },
  'M/D/1': { name: 'M/D/1', by: 'Pollaczek 1930, Khinchine 1932' },
  'M/G/1': { name: 'M/G/1, Pollaczek-Khinchine', by: 'Pollaczek 1930, Khinchine 1932' },
  'M/M/1-PS': { name: 'M/M/1, processor sharing', by: 'Kleinrock 1967' },
  'M/M/c-PS': { name: 'M/M/c, processor sharing', by: 'Kleinrock 1967' },
  'M/G/1-PS': { name: 'M/G/1, processor sharing', by: 'Kleinrock 1967, Sakata, Noguchi and Oizumi 1969' },
  tandem: { name: 'Tandem of M/M/c queues', by: 'Burke 1956, Jackson 1957' },
  network: { name: 'Jackson network', by: 'Jackson 1957' },
  line: { name: 'Deterministic line', by: 'the bottleneck sets the pace' },
}

/** How numbers are said. */
export interface Say {
  time(us: Micros): string
  rate(perSecond: PerSecond): string
  number(x: number): string
}

/** The sum behind a forecast, a sentence a step. S: mean service time, λ: arrivals, ρ: load, c: workers, a: λS, v: coefficient of variation. */
export function explainForecast(forecast: Forecast, say: Say): string[] {
  if (forecast.law === 'line') return explainLine(forecast, say)
  const { arrivalRate, stations, meanFlowTime, meanJobsInSystem, meanWait } = forecast
  const λ = `λ = ${say.rate(arrivalRate * 1e6)}`
  const [only] = stations
  if (forecast.law === 'network')
    return [
      `Jobs come at random, ${λ}, and are routed by luck. By Jackson’s theorem each stage is as if its share p of them came to it at random, at pλ:`,
      ...stations.map((station) => `${station.name}: p = ${say.number(station.share)}, ${explainLoad(station, say)} ${explainWait(station, say)}`),
      `Flow time = all p (wait + S) together = ${say.time(meanFlowTime)}; jobs in the system = λ × flow time = ${say.number(meanJobsInSystem)} (Little’s law).`,
    ]
  if (stations.length > 1)
    return [
      `Jobs come at random, ${λ}. By Burke’s theorem they leave each stage at random too, so that each is a queue of its own:`,
      ...stations.map((station) => `${station.name}: ${explainLoad(station, say)} ${explainWait(station, say)}`),
      `Flow time = all waits + all services = ${say.time(meanFlowTime)}; jobs in the system = λ × flow time = ${say.number(meanJobsInSystem)} (Little’s law).`,
    ]
  if (only.threads > 0) return explainSharing(only, λ, forecast, say)
  return [
    `Jobs come at random, ${λ}. ${explainLoad(only, say)}`,
    explainWait(only, say),
    `By Little’s law: queue = λ × wait = ${say.number(arrivalRate * meanWait)}; flow time = wait + S = ${say.time(meanFlowTime)}; jobs in the system = λ × flow time = ${say.number(meanJobsInSystem)}.`,
  ]
}

function explainLoad({ servers, mean, load, share }: Waits, say: Say): string {
  const S = `S = ${say.time(mean)}`
  const λ = share < 1 ? 'pλ' : 'λ'
  if (servers === 1) return `${S}, ρ = ${λ}S = ${say.number(load)}.`
  return `${S}, a = ${λ}S = ${say.number(load * servers)}, c = ${servers}, ρ = a/c = ${say.number(load)}.`
}

function explainWait({ servers, mean, variance, shape, load, waits, meanWait }: Waits, say: Say): string {
  const [S, wait, ρ, left] = [say.time(mean), say.time(meanWait), say.number(load), say.number(1 - load)]
  if (servers > 1) {
    const C = say.number(waits)
    return `A job has to wait with probability C(c, a) = ${C}; wait = C S / (c − a) = ${C} × ${S} / ${say.number(servers * (1 - load))} = ${wait}.`
  }
  if (shape === 'exponential') return `Wait = ρ S / (1 − ρ) = ${ρ} × ${S} / ${left} = ${wait}.`
  if (shape === 'constant') return `Wait = ρ S / (2 (1 − ρ)) = ${ρ} × ${S} / (2 × ${left}) = ${wait}: half of what random services would cost.`
  const v2 = say.number(variance / (mean * mean))
  return `Wait = (1 + v²)/2 × ρ S / (1 − ρ), v² = ${v2}: (1 + ${v2})/2 × ${ρ} × ${S} / ${left} = ${wait}.`
}

function explainSharing({ threads, servers, mean, stretch, meanWait, waits, load, shape, stages }: Waits, λ: string, forecast: Forecast, say: Say): string[] {
  const { meanFlowTime, meanJobsInSystem, arrivalRate } = forecast
  const [S, flow, ρ] = [say.time(mean), say.time(meanFlowTime), say.number(load)]
  const cores = servers === 1 ? 'one core' : `${servers} cores`
  const loads = servers === 1 ? `S = ${S}, ρ = λS = ${ρ}` : `S = ${S}, c = ${servers}, ρ = λS/c = ${ρ}`
  const known = shape === 'exponential' && stages.length === 1
  const sum =
    servers === 1
      ? `Flow time = S / (1 − ρ) = ${S} / ${say.number(1 - load)} = ${flow}${known ? '' : ', whatever the distribution of the services'}.`
      : `As many jobs are there as at ${servers} workers with one queue (Erlang C), so that flow time = ${flow}.`
  const split = known
    ? `A job finds ${threads === 1 ? 'the one thread' : `all ${threads} threads`} taken with probability ${say.number(waits)}: wait for one = ${say.time(meanWait)}, and then it is served ${say.number(stretch)} times as long as alone.`
    : `Next to no job finds ${threads === 1 ? 'the one thread' : `all ${threads} threads`} of a stage taken, so nobody waits: each is served ${say.number(stretch)} times as long as alone.`
  return [
    `Jobs come at random, ${λ}; the threads share ${cores} evenly. ${loads}.`,
    sum,
    split,
    `By Little’s law: jobs in the system = λ × flow time = ${say.number(arrivalRate * 1e6)}/s × ${flow} = ${say.number(meanJobsInSystem)}.`,
  ]
}

function explainLine({ stations, arrivalRate, jobs, makespan, meanWait }: Forecast, say: Say): string[] {
  const gap = arrivalRate > 0 ? 1 / arrivalRate : 0
  const whole = stations.reduce((sum, { mean }) => sum + mean, 0)
  const slowest = stations.reduce((most, station) => (station.mean > most.mean ? station : most))
  const others = jobs - 1
  const come = gap > 0 ? `A job comes every ${say.time(gap)}` : 'All jobs come at once'
  const end = say.time(makespan ?? 0)
  if (slowest.mean <= gap)
    return [
      `${come}, and no stage takes longer: nobody waits. The last of ${say.number(jobs)} comes after ${say.number(others)} gaps and takes ${say.time(whole)}: ${end}.`,
    ]
  const behind = gap > 0 ? `${say.time(slowest.mean)} − ${say.time(gap)}` : say.time(slowest.mean)
  return [
    `${come}; one takes ${say.time(whole)} by itself, and the slowest stage, ${slowest.name}, lets one out every ${say.time(slowest.mean)}.`,
    `Makespan = ${say.time(whole)} + ${say.number(others)} × ${say.time(slowest.mean)} = ${end}.`,
    `Each job waits longer than the one before by ${behind}; mean wait = ${say.number(others)}/2 × ${gap > 0 ? `(${behind})` : behind} = ${say.time(meanWait)}.`,
  ]
}
