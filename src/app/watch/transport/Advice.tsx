import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { serviceMean } from '../../../scenario/model/distributions.ts'
import { type EngineName, isRealTime } from '../../../scenario/model/engines.ts'
import { doesRealWork, type Scenario } from '../../../scenario/model/scenario.ts'
import { runStore } from '../../session/run/runStore.ts'
import { roomRefusal } from '../../session/run/startStop.ts'
import { useSession } from '../../session/useSession.ts'

export function Advice({ scenario }: { readonly scenario: Scenario }) {
  const { engine, room } = useStore(runStore(useSession()))
  if (engine !== 'room') return adviceFor(scenario, engine, navigator.hardwareConcurrency || 1)
  return roomRefusal(room, scenario) ?? adviceFor(scenario, engine, room?.seats ?? 0)
}

/** A shorter batch, in microseconds, is over before the messages about it have arrived. */
const MESSAGES_SHOW_US = 2000

/** Returns what to know before running this scenario on this engine; empty if there is nothing. `cores`: of this machine, or the threads in the room. */
export function adviceFor(scenario: Scenario, engine: EngineName, cores: number): string {
  const { stages, source, batch, network } = scenario
  const workers = scenario.workers
  const real = stages.filter(doesRealWork)
  if (source.kind === 'lines' && source.jobs === 0) return t('Drop a file on the page first.')
  if (!isRealTime(engine)) {
    return real.length > 0 ? t('Only Web Workers do the real work.') : ''
  }
  if (network !== null) return t('Only the simulation uses the network setting.')
  if (engine === 'room' && workers > cores) {
    return t('{workers, number} workers share {cores, plural, one {# thread} other {# threads}} of the room.', {
      workers,
      cores,
    })
  }
  const burning = stages.some(({ work }) => work === 'burn')
  if (burning && workers > cores) {
    return t('{workers, number} workers share {cores, plural, one {# core} other {# cores}}: slower than simulated.', {
      workers,
      cores,
    })
  }
  // Adaptive batches are long enough.
  const jobs = batch.size ?? Number.POSITIVE_INFINITY
  const short = stages.find(
    ({ service, work }) => (work === 'burn' || work === 'wait') && serviceMean(service) * jobs < MESSAGES_SHOW_US,
  )
  if (short === undefined) return ''
  return t('{name} takes less than 2 ms a batch. Larger or adaptive batches hide the messages.', { name: short.name })
}
