import { t } from '../../../language/translate.ts'
import { erlangC } from './erlang.ts'
import { relaxationOf, type Waits } from './forecast.ts'
import type { Station } from './stations.ts'

/**
 * Threads that share cores evenly: processor sharing, with at most n jobs served at once and the others waiting.
 *
 * One core, and a thread for every job that comes: the mean flow time is S / (1 - load), whatever the distribution of the
 * services (Sakata, Noguchi and Oizumi 1969; Kleinrock 1967), as of M/M/1. The number of jobs is geometric, so that one
 * finds all n threads taken with probability load^n; only where next to none does, the law holds to the last digit.
 *
 * Exponential services need no such condition, and may have c cores: with k jobs there, one leaves at the rate of
 * min(k, c) services whether they share or queue, so that the number of jobs is that of M/M/c for any n >= c. Of these
 * sum over k > n of (k - n) P(k) = C(c, a) load^(n - c) load / (1 - load) wait for a thread.
 */

/** The law needs a thread for every job: on average at most so few jobs of a run may find none. */
const NEXT_TO_NONE = 0.01

/**
 * Returns why a station of threads has no known steady state under Poisson arrivals at `rate` (jobs a microsecond); null where
 * it has.
 */
export function unknownSharing({ name, mean, servers, threads, shape, stages }: Station, rate: number, jobs: number): string[] {
  const load = (rate * mean) / servers
  if (load >= 1)
    return [
      t('More work comes to {name} than {n, plural, =1 {one core} one {# core} other {# cores}} can do: the jobs there grow in number without end.', {
        name,
        n: servers,
      }),
    ]
  // One stage only: the sum of several exponential services is not exponential.
  if (shape === 'exponential' && stages.length === 1) return []
  if (servers > 1) return [t('Several cores that are shared have a closed form only with exponential services at one stage.')]
  let needed = 0
  for (let share = 1; jobs * share > NEXT_TO_NONE && needed < 10_000; needed++) share *= load
  if (threads >= needed) return []
  return [
    t('Shared cores have a closed form for these services only where next to no job ever finds all threads taken: from {needed} a stage on, at this load.', {
      needed,
    }),
  ]
}

/** Returns how long jobs wait at a station of threads, and how much longer they are served. */
export function sharedWaits(station: Station, rate: number): Waits {
  const { mean, servers, threads, shape, stages } = station
  const offered = rate * mean
  const load = offered / servers
  const waits = erlangC(servers, offered)
  // By M/M/c, which has as many jobs in it. For one core C = load, and this is S / (1 - load).
  const flow = mean + (waits * mean) / (servers - offered)
  const taken = shape === 'exponential' && stages.length === 1 ? power(load, threads - servers) * waits : 0
  const meanWait = (taken * load) / (1 - load) / rate
  const law = shape !== 'exponential' || stages.length > 1 ? 'M/G/1-PS' : servers === 1 ? 'M/M/1-PS' : 'M/M/c-PS'
  return { ...station, law, gaps: 1, load, waits: taken, meanWait, outside: 0, stretch: (flow - meanWait) / mean, relaxation: relaxationOf(station, load) }
}

function power(x: number, n: number): number {
  let product = 1
  for (let i = 0; i < n; i++) product *= x
  return product
}
