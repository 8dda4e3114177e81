import type { Policy } from '../scenario/model/scenario.ts'
import type { Counts } from './counts.ts'
import type { Topology } from './topology.ts'

/** The input of a policy that looks ahead besides the queues, by stage. It follows from the counts, so it can be computed from a record too. */
export interface Outlook {
  /** Jobs on their way here: those in service upstream, times the share that comes here. */
  readonly coming: Float64Array
  /** The age of the oldest job that waits here, in microseconds; 0 where none waits. */
  readonly ages: Float64Array
  /** The factor of the votes of a stage: 1, or more if jobs are old. */
  readonly urgency: Float64Array
  /** Working memory: jobs that have not started here yet. */
  readonly ahead: Float64Array
  /** See `visitsOf`. */
  readonly visits: Float64Array
}

export function createOutlook(topology: Topology): Outlook {
  const column = () => new Float64Array(topology.order.length)
  return { coming: column(), ages: column(), urgency: column().fill(1), ahead: column(), visits: visitsOf(topology) }
}

/** Returns how many of a job's parts come to each stage, by the weights of the routes; where parts meet, one. */
export function visitsOf({ order, firsts, before, ways, shares, joins }: Topology): Float64Array {
  const visits = new Float64Array(order.length)
  for (const stage of order) {
    const parts = Array.from(before[stage], (from) => shares[from][ways[from].indexOf(stage)] * visits[from])
    visits[stage] = firsts.includes(stage)
      ? 1
      : joins[stage] > 0
        ? Math.max(...parts)
        : parts.reduce((sum, part) => sum + part, 0)
  }
  return visits
}

/** Whether a policy reads more than queues and service times. */
export function looksAhead({ kind }: Pick<Policy, 'kind'>): boolean {
  return kind === 'preallocate' || kind === 'deadline'
}

export function looksAtAges({ kind }: Pick<Policy, 'kind'>): boolean {
  return kind === 'deadline'
}

/** Fills in what a policy sees. `arrivals`: when each job arrived, in order; read only by those that look at ages. */
export function lookAhead(
  policy: Policy,
  topology: Topology,
  counts: Counts,
  arrivals: ArrayLike<number>,
  outlook: Outlook,
): void {
  const { coming, ages, urgency } = outlook
  coming.fill(0)
  ages.fill(0)
  urgency.fill(1)
  if (policy.kind === 'preallocate') for (let hop = 0; hop < policy.hops; hop++) addNextHop(topology, counts, coming)
  if (policy.kind !== 'deadline') return
  agesInto(topology, counts, arrivals, outlook)
  for (let s = 0; s < ages.length; s++) urgency[s] = 1 + ages[s] / policy.due
}

/** Adds the jobs one stage further away, last stage first. Of n parts that meet, each counts as 1/n of a job. Gathering parts do not count. */
function addNextHop({ order, before, ways, shares, joins }: Topology, { inHands }: Counts, coming: Float64Array): void {
  for (let i = order.length - 1; i >= 0; i--) {
    const stage = order[i]
    let parts = 0
    for (const from of before[stage]) parts += shares[from][ways[from].indexOf(stage)] * (inHands[from] + coming[from])
    coming[stage] = joins[stage] > 0 ? parts / joins[stage] : parts
  }
}

/** Age of the oldest waiting job if jobs kept their order: the virtual delay of network calculus (Le Boudec and Thiran 2001). Off a line, an estimate. */
function agesInto(
  { order, firsts, before, ways, shares, joins }: Topology,
  counts: Counts,
  arrivals: ArrayLike<number>,
  outlook: Outlook,
): void {
  const { waiting, inHands, arrived, outside, time } = counts
  const { ahead, ages, visits } = outlook
  for (let i = 0; i < order.length; i++) {
    const stage = order[i]
    const first = firsts.includes(stage)
    let jobs = first ? outside : 0
    for (const from of before[stage]) {
      const come = shares[from][ways[from].indexOf(stage)] * (ahead[from] + inHands[from])
      jobs = joins[stage] > 0 ? Math.max(jobs, come) : jobs + come
    }
    ahead[stage] = jobs + waiting[stage]
    if (waiting[stage] === 0) continue
    const oldest = Math.floor(arrived - ahead[stage] / visits[stage])
    ages[stage] = time - arrivals[Math.max(0, oldest)]
  }
}
