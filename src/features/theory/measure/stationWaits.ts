import { t } from '../../../language/translate.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { exp } from '../../../workload/elementary.ts'
import { type GapVariation, relaxationOf, type StationLaw, type Waits } from './forecast.ts'
import { constantWait, erlangA, erlangC, shortestFirstFactor } from './formulas.ts'
import type { Station } from './stations.ts'

/** Returns the law of a station with a worker for each server, without a check that it has one. */
function lawOf({ shape, servers, discipline, patience }: Station, gaps: GapVariation): OwnLaw {
  if (patience < Infinity) return 'M/M/c+M'
  if (gaps === 0) return shape === 'exponential' && servers === 1 ? 'D/M/1' : 'G/G/c'
  if (discipline === 'shortest') return 'M/G/1-SJF'
  if (shape === 'exponential') return servers === 1 ? 'M/M/1' : 'M/M/c'
  if (servers === 1) return shape === 'constant' ? 'M/D/1' : 'M/G/1'
  return shape === 'constant' ? 'M/D/c' : 'G/G/c'
}

/** Returns how long jobs wait at a station with endless arrivals at `rate` (jobs per microsecond). */
export function waitsAt(station: Station, rate: number, gaps: GapVariation): Waits {
  if (station.threads > 0) return sharedWaits(station, rate)
  const { mean, servers, room } = station
  const law = lawOf(station, gaps)
  const offered = (rate * mean) / servers
  const { waits, meanWait, gaveUp = 0 } = formulas[law](station, rate, gaps)
  const load = offered * (1 - gaveUp)
  // Of M/M/c with a bounded queue the source holds back what does not fit: of k > room waiting jobs, k - room.
  let overflow = 1
  if (room !== null) for (let k = 0; k < room && overflow > 1e-18; k++) overflow *= load
  const outside = room === null ? 0 : rate * meanWait * overflow
  const relaxation = Math.min(relaxationOf(station, load, gaps), station.patience + mean)
  const classWaits = classWaitsAt(station, law, load, meanWait)
  return { ...station, law, gaps, load, waits, meanWait, classWaits, gaveUp, outside, stretch: 1, relaxation }
}

/** The laws under which a job finds the same work before it, whatever its class: one worker, or services without memory. */
const withClasses: ReadonlySet<StationLaw> = new Set<StationLaw>(['M/M/1', 'M/M/c', 'M/D/1', 'M/G/1'])

/**
 * Returns the mean wait of each class where no service is broken off: W0 / ((1 - s) (1 - t)), s being the load of all classes before it and t that with
 * its own; W0 = (1 - load) x the wait of first come, first served (Cobham 1954; Kesten and Runnenburg 1957).
 */
function classWaitsAt({ classes, room }: Station, law: StationLaw, load: number, meanWait: Micros): Micros[] | null {
  if (classes === null || classes.age || room !== null || !withClasses.has(law)) return null
  let before = 0
  return classes.shares.map((share) => {
    const first = 1 - before
    before += load * share
    return (meanWait * (1 - load)) / (first * (1 - before))
  })
}

type OwnLaw = Exclude<StationLaw, `${string}-PS` | 'D/D/1'>
type Formula = (
  station: Station,
  rate: number,
  gaps: GapVariation,
) => { readonly waits: number; readonly meanWait: number; readonly gaveUp?: number }

const pollaczek: Formula = ({ mean, variance }, rate) => ({
  waits: rate * mean,
  meanWait: (rate * (variance + mean * mean)) / (2 * (1 - rate * mean)),
})

const erlang: Formula = ({ mean, servers }, rate) => {
  const waits = erlangC(servers, rate * mean)
  return { waits, meanWait: (waits * mean) / (servers - rate * mean) }
}

const formulas: Readonly<Record<OwnLaw, Formula>> = {
  'M/M/1': erlang,
  'M/M/c': erlang,
  'M/M/c+M': ({ servers, mean, patience }, rate) => erlangA(servers, rate, mean, patience),
  'M/D/1': pollaczek,
  'M/G/1': pollaczek,
  'M/D/c'({ mean, servers }, rate) {
    const { waits, mean: services } = constantWait(servers, rate * mean)
    return { waits, meanWait: services * mean }
  },
  'M/G/1-SJF'(station, rate, gaps) {
    const { waits, meanWait } = pollaczek(station, rate, gaps)
    const { service, mean } = station
    return { waits, meanWait: service === null ? meanWait : meanWait * shortestFirstFactor(service, rate * mean) }
  },
  /** GI/M/1 (Kendall 1953): a job waits with the probability p for which p = E[e^(-(1 - p) gap / S)]. */
  'D/M/1'({ mean }, rate) {
    let p = 0
    for (let next = exp(-1 / (rate * mean)); next > p; next = exp((p - 1) / (rate * mean))) p = next
    return { waits: p, meanWait: (p * mean) / (1 - p) }
  },
  /** Allen and Cunneen (Allen 1990): Erlang's wait x (u + v) / 2 with the squared variations of gaps and services; where gaps vary less, as Kraemer and Langenbach-Belz 1976. */
  'G/G/c'(station, rate, gaps) {
    const { mean, variance, servers } = station
    const { waits, meanWait } = erlang(station, rate, gaps)
    const varies = gaps + variance / (mean * mean)
    const load = (rate * mean) / servers
    const gapFactor = gaps === 1 || varies === 0 ? 1 : exp((-2 * (1 - load)) / (3 * load * varies))
    return { waits, meanWait: (meanWait * varies * gapFactor) / 2 }
  },
}

/** The law needs a thread for every job: on average at most this number of jobs of a run may find none. */
const NEGLIGIBLE = 0.01

/** Returns why a station of threads has no known steady state under Poisson arrivals at `rate` (jobs a microsecond). */
export function unknownSharing(
  { name, mean, servers, threads, shape, stages }: Station,
  rate: number,
  jobs: number,
): string[] {
  const load = (rate * mean) / servers
  const values = { name, n: servers }
  if (load >= 1)
    return [
      t(
        'More work comes to {name} than {n, plural, =1 {one core} one {# core} other {# cores}} can do: the jobs there grow in number without end.',
        values,
      ),
    ]
  // One stage only: the sum of several exponential services is not exponential.
  if (shape === 'exponential' && stages.length === 1) return []
  if (servers > 1)
    return [t('Several cores that are shared have a closed form only with exponential services at one stage.')]
  let needed = 0
  for (let share = 1; jobs * share > NEGLIGIBLE && needed < 10_000; needed++) share *= load
  const few = t(
    'Shared cores have a closed form for these services only where next to no job ever finds all threads taken: from {needed} a stage on, at this load.',
    { needed },
  )
  return threads >= needed ? [] : [few]
}

/**
 * Returns how long jobs wait at a station of threads that share cores evenly, and how much longer they are served. On one core with a thread for every
 * job any services have the flow time of M/M/1 (Sakata, Noguchi and Oizumi 1969; Kleinrock 1967); exponential ones at c cores have the jobs of M/M/c,
 * of which C(c, a) load^(n - c) load / (1 - load) wait for one of n threads.
 */
function sharedWaits(station: Station, rate: number): Waits {
  const { mean, servers, threads, shape, stages } = station
  const offered = rate * mean
  const load = offered / servers
  const waits = erlangC(servers, offered)
  // By M/M/c, which has as many jobs in it. For one core C = load, and this is S / (1 - load).
  const flow = mean + (waits * mean) / (servers - offered)
  let shared = 1
  for (let n = servers; n < threads; n++) shared *= load
  const taken = shape === 'exponential' && stages.length === 1 ? shared * waits : 0
  const meanWait = (taken * load) / (1 - load) / rate
  const law = shape !== 'exponential' || stages.length > 1 ? 'M/G/1-PS' : servers === 1 ? 'M/M/1-PS' : 'M/M/c-PS'
  return {
    ...station,
    law,
    gaps: 1,
    load,
    waits: taken,
    meanWait,
    classWaits: null,
    gaveUp: 0,
    outside: 0,
    stretch: (flow - meanWait) / mean,
    relaxation: relaxationOf(station, load),
  }
}
