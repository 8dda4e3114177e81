import { type Rows, rowTime, STARTED } from '../../pipeline/rows.ts'
import { serviceMean } from '../../scenario/model/distributions.ts'
import type { Micros, Service } from '../../scenario/model/scenario.ts'
import { followTrace, stateAt, type Trace } from '../../trace/trace.ts'
import type { Frame } from '../frame/frame.ts'

/** When the service time of each stage changed in a run: the first start of a job that each change holds for, and what had been served until then. */
interface ServiceChanges {
  readonly trace: Trace
  readonly since: readonly Float64Array[]
  readonly until: (readonly [services: number, time: Micros])[][]
  rows: number
}

/** What a service at a stage costs at one instant. */
export interface ServiceNow {
  readonly service: Service
  /** The declared means: at the start of the run, and now. */
  readonly before: Micros
  readonly now: Micros
  /** The mean of the services that ended since the last change, and how many there are. */
  readonly measured: Micros
  readonly services: number
}

const known = new WeakMap<Trace, ServiceChanges>()

/** Returns what a service at a stage costs at the time of a frame. Reads the new rows of a growing trace where the scenario has changes. */
export function serviceIn(trace: Trace, { time, stages: now }: Frame, stage: number): ServiceNow {
  const { stages } = trace.scenario
  const { service, changes } = stages[stage]
  const found = known.get(trace) ?? {
    trace,
    since: stages.map((each) => new Float64Array(each.changes.length).fill(Infinity)),
    until: stages.map(() => []),
    rows: 0,
  }
  known.set(trace, found)
  if (changes.length > 0) followTrace(trace, found, Infinity, (rows, i) => take(found, rows, i))
  const begun = found.since[stage].reduce((last, since, k) => (since <= time ? k : last), -1)
  const [services, sum] = begun < 0 ? [0, 0] : servedUntil(found, stage, begun)
  const { finished, meanService } = now[stage]
  const present = begun < 0 ? service : changes[begun].service
  const measured = (finished * meanService - sum) / (finished - services)
  return { service: present, before: serviceMean(service), now: serviceMean(present), measured, services: finished - services }
}

function servedUntil({ trace, since, until }: ServiceChanges, stage: number, change: number): readonly [number, Micros] {
  const known = until[stage][change]
  if (known !== undefined) return known
  const { finished, serviceSum } = stateAt(trace, since[stage][change]).counts
  until[stage][change] = [finished[stage], serviceSum[stage]]
  return until[stage][change]
}

function take({ trace, since }: ServiceChanges, rows: Rows, i: number): void {
  if (rows.kind[i] !== STARTED) return
  const stage = rows.stage[i]
  const { changes } = trace.scenario.stages[stage]
  for (let k = 0; k < changes.length; k++) if (since[stage][k] === Infinity && rows.job[i] >= changes[k].from) since[stage][k] = rowTime(rows, i)
}
