import { serviceMean } from '../../scenario/model/distributions.ts'
import type { Micros, Service } from '../../scenario/model/scenario.ts'
import type { Frame } from '../frame/frame.ts'
import type { Chart } from '../series/chart.ts'

/** The service time of a stage at one instant. */
export interface ServiceNow {
  readonly service: Service
  /** The declared means: at the start of the run, and now. */
  readonly before: Micros
  readonly now: Micros
  /** The mean of the services that ended since the last change, and how many there are. */
  readonly measured: Micros
  readonly services: number
}

/** Returns the service time of a stage at the time of a frame, as far as the chart has read the run. */
export function serviceIn({ trace, changed }: Chart, { time, stages: now }: Frame, stage: number): ServiceNow {
  const { service, changes } = trace.scenario.stages[stage]
  const last = changed[stage].reduce((latest, change, k) => (change !== null && change.since <= time ? k : latest), -1)
  const { services, sum } = changed[stage][last] ?? { services: 0, sum: 0 }
  const { finished, meanService } = now[stage]
  const present = changes[last]?.service ?? service
  const measured = (finished * meanService - sum) / (finished - services)
  return { service: present, before: serviceMean(service), now: serviceMean(present), measured, services: finished - services }
}
