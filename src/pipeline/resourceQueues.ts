import type { Scenario } from '../scenario/model/scenario.ts'
import { NONE } from './rows.ts'

/**
 * Who stands before which resource, at the stages where a worker waits for one that is taken. Every resource (a group at a
 * stage) has a line of workers in the order of their orders, each with its job in hand; the first of the line has the
 * resource, the others wait.
 *
 *   Bake, group 2    w3 w0 w5     w3 works, w0 and w5 wait
 *   Bake, group 7    w1           w1 works
 *
 * A fold of rows, `joinLine` at a `started` and `leaveLine` where the job leaves the worker's hands: so the core, the
 * engines and whoever reads a trace know alike who works and who waits.
 */
export interface ResourceQueues {
  readonly groupOf: (job: number) => number
  /** By stage: 1 where workers wait for resources. */
  readonly waits: Uint8Array
  /** By resource; nobody's are not there. */
  readonly queues: Map<number, number[]>
  /** By worker: the resource before which it stands, or NONE. */
  readonly at: Float64Array
}

/** Null where workers wait for no resource. `workers`: as many as ever take part. */
export function createResourceQueues({ stages }: Scenario, workers: number, groupOf: (job: number) => number): ResourceQueues | null {
  const waits = Uint8Array.from(stages, ({ resource, whenTaken }) => (resource !== null && whenTaken === 'wait' ? 1 : 0))
  if (!waits.includes(1)) return null
  return { groupOf, waits, queues: new Map(), at: new Float64Array(workers).fill(NONE) }
}

/** A worker has been given a job: it stands at the end of the line of the job's resource, if the stage has one. */
export function joinResourceQueue({ groupOf, waits, queues, at }: ResourceQueues, stage: number, worker: number, job: number): void {
  if (waits[stage] === 0) return
  const resource = groupOf(job) * 256 + stage
  at[worker] = resource
  const queue = queues.get(resource)
  if (queue === undefined) queues.set(resource, [worker])
  else queue.push(worker)
}

/** A worker has its job no more. Returns who has the resource from now on because of that; NONE if nobody new has. */
export function leaveResourceQueue({ queues, at }: ResourceQueues, worker: number): number {
  const resource = at[worker]
  const queue = queues.get(resource)
  at[worker] = NONE
  if (queue === undefined) return NONE
  const had = queue[0] === worker
  queue.splice(queue.indexOf(worker), 1)
  if (queue.length === 0) queues.delete(resource)
  return had && queue.length > 0 ? queue[0] : NONE
}

/** Whether a worker stands in a line and has not come to its head. */
export function waitsForResource({ queues, at }: ResourceQueues, worker: number): boolean {
  const queue = queues.get(at[worker])
  return queue !== undefined && queue[0] !== worker
}
