import { exp } from '../../../workload/elementary.ts'
import { constantWait } from './crommelin.ts'
import { erlangC } from './erlang.ts'
import { type GapVariation, relaxationOf, type StationLaw, type Waits } from './forecast.ts'
import { sharedWaits } from './processorSharing.ts'
import { shortestFirstFactor } from './shortestFirst.ts'
import type { Station } from './stations.ts'

/** Returns the law of a station with a worker for each server, without a look at whether it has one. */
function lawOf({ shape, servers, discipline }: Station, gaps: GapVariation): OwnLaw {
  if (gaps === 0) return shape === 'exponential' && servers === 1 ? 'D/M/1' : 'G/G/c'
  if (discipline === 'shortest') return 'M/G/1-SJF'
  if (shape === 'exponential') return servers === 1 ? 'M/M/1' : 'M/M/c'
  if (servers === 1) return shape === 'constant' ? 'M/D/1' : 'M/G/1'
  return shape === 'constant' ? 'M/D/c' : 'G/G/c'
}

/** Returns how long jobs wait at a station to which they come at `rate` (jobs a microsecond) for ever. */
export function waitsAt(station: Station, rate: number, gaps: GapVariation): Waits {
  if (station.threads > 0) return sharedWaits(station, rate)
  const { mean, servers, room } = station
  const law = lawOf(station, gaps)
  const load = (rate * mean) / servers
  const { waits, meanWait } = formulas[law](station, rate, gaps)
  // Of M/M/c with a bounded queue the source holds back what does not fit: of k > room waiting jobs, k - room.
  let overflow = 1
  if (room !== null) for (let k = 0; k < room && overflow > 1e-18; k++) overflow *= load
  const outside = room === null ? 0 : rate * meanWait * overflow
  return { ...station, law, gaps, load, waits, meanWait, outside, stretch: 1, relaxation: relaxationOf(station, load, gaps) }
}

type OwnLaw = Exclude<StationLaw, `${string}-PS` | 'D/D/1'>
type Formula = (station: Station, rate: number, gaps: GapVariation) => { readonly waits: number; readonly meanWait: number }

const pollaczek: Formula = ({ mean, variance }, rate) => ({ waits: rate * mean, meanWait: (rate * (variance + mean * mean)) / (2 * (1 - rate * mean)) })

const erlang: Formula = ({ mean, servers }, rate) => {
  const waits = erlangC(servers, rate * mean)
  return { waits, meanWait: (waits * mean) / (servers - rate * mean) }
}

const formulas: Readonly<Record<OwnLaw, Formula>> = {
  'M/M/1': erlang,
  'M/M/c': erlang,
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
    const calmer = gaps === 1 || varies === 0 ? 1 : exp((-2 * (1 - load)) / (3 * load * varies))
    return { waits, meanWait: (meanWait * varies * calmer) / 2 }
  },
}
