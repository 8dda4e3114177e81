import { isPinned } from '../../scenario/model/defaults.ts'
import type { PolicyKind } from '../../scenario/model/scenario.ts'
import type { StageBallot } from './decision.ts'
import type { Assignment } from './decisionContext.ts'

/** What workers do after a decision, each group for one reason. */
export interface Post {
  readonly workers: readonly number[]
  readonly does: 'starts' | 'stays' | 'moves' | 'prefetches' | 'idles'
  /** Where they were; -1 if nowhere yet. */
  readonly from: number
  /** Where they work now; -1 if they stay idle. */
  readonly stage: number
  /** By stage, how many workers it was below its target just before; empty if no worker was sent. */
  readonly short: readonly number[]
  /** Whether a stage was further below its target and has jobs left: the record does not say why none of them started. */
  readonly passed: boolean
  /** Whether the stage then has more workers than its target. */
  readonly above: boolean
  readonly reason: PostReason | null
}

/** Why workers are not at a stage that needs them as much or more, as far as the record knows. */
export type PostReason =
  /** This stage is further below its target, but no job is left there. */
  | { readonly kind: 'noJob'; readonly stage: number }
  /** This stage got a higher target, but the stage of the post is as far or further below its own. */
  | { readonly kind: 'asFar' | 'further'; readonly stage: number }
  /** No job is left anywhere. */
  | { readonly kind: 'nothingWaits' }
  /** Where jobs wait the targets are reached, and the policy allows no more workers. */
  | { readonly kind: 'reached' }

/** A stage whose target rose, and that has fewer workers than its target after the decision. */
export interface Shortfall {
  readonly stage: number
  readonly missing: number
  /** Whether no job is left there. */
  readonly noJob: boolean
  /** The stages with more workers than their targets. Empty unless every worker is busy. */
  readonly above: readonly number[]
}

/** What a decision knows about who works where. */
export interface Posted {
  readonly policy: PolicyKind
  /** Workers alive. */
  readonly workers: number
  readonly stages: readonly Pick<StageBallot, 'waiting' | 'busy' | 'seatsBefore' | 'seatsAfter'>[]
  readonly orders: readonly Assignment[]
  /** The workers that became free at this instant. */
  readonly free: readonly number[]
}

/** Returns what every worker does that got a batch or became free, in the order of the rows. */
export function postsOf(decision: Posted): Post[] {
  return grouped(postEach(decision))
}

/** Returns what one worker does, a second batch apart; null if the decision is not about it. */
export function postOf(decision: Posted, worker: number, prefetch = false): Post | null {
  return postEach(decision).find(({ workers, does }) => workers[0] === worker && (does === 'prefetches') === prefetch) ?? null
}

/** Returns one post for each worker and batch. */
function postEach(decision: Posted): Post[] {
  const { stages, orders, free } = decision
  const left = jobsLeft(decision)
  const after = workersAfter(decision)
  const staffed = stages.map(({ busy }) => busy)
  const posts: Post[] = []
  for (const { worker, from, stage, prefetch } of orders) {
    if (prefetch) {
      posts.push({ workers: [worker], does: 'prefetches', from: stage, stage, short: [], passed: false, above: false, reason: null })
      continue
    }
    const short = stages.map(({ seatsAfter }, s) => seatsAfter - staffed[s])
    const does = from < 0 ? 'starts' : from === stage ? 'stays' : 'moves'
    const passed = short.some((n, s) => n > Math.max(0, short[stage]) && left[s] > 0)
    posts.push({ workers: [worker], does, from, stage, short, passed, above: short[stage] <= 0, reason: reasonOf(stages, stage, short, left, after) })
    staffed[stage]++
  }
  const idle = free.filter((worker) => !orders.some((order) => order.worker === worker))
  const reason = idleReason(decision, left, after)
  for (const worker of idle) posts.push({ workers: [worker], does: 'idles', from: -1, stage: -1, short: [], passed: false, above: false, reason })
  return posts
}

/** Returns the stages whose targets rose above the workers they have now. Pinned workers are not moved, so there it says nothing. */
export function shortfallsOf(decision: Posted): Shortfall[] {
  const { policy, stages, workers } = decision
  if (isPinned(policy)) return []
  const left = jobsLeft(decision)
  const after = workersAfter(decision)
  const allBusy = after.reduce((sum, n) => sum + n, 0) === workers
  const above = allBusy ? numbersWhere(stages, ({ seatsAfter }, s) => after[s] > seatsAfter) : []
  return numbersWhere(stages, ({ seatsBefore, seatsAfter }, s) => seatsAfter > seatsBefore && after[s] < seatsAfter).map((stage) => ({
    stage,
    missing: stages[stage].seatsAfter - after[stage],
    noJob: left[stage] === 0,
    above,
  }))
}

function reasonOf(stages: Posted['stages'], post: number, short: readonly number[], left: readonly number[], after: readonly number[]): PostReason | null {
  const others = numbersWhere(stages, (_, s) => s !== post && short[s] > 0)
  const needy = others.reduce((most, s) => (short[s] > (most < 0 ? short[post] : short[most]) ? s : most), -1)
  if (needy >= 0) return left[needy] === 0 ? { kind: 'noJob', stage: needy } : null
  const grown = others.find((s) => left[s] > 0 && stages[s].seatsAfter > stages[s].seatsBefore && after[s] < stages[s].seatsAfter)
  if (grown === undefined) return null
  return { kind: short[grown] === short[post] ? 'asFar' : 'further', stage: grown }
}

function idleReason({ policy, stages }: Posted, left: readonly number[], after: readonly number[]): PostReason | null {
  if (left.every((jobs) => jobs === 0)) return { kind: 'nothingWaits' }
  const reached = (isPinned(policy) || policy === 'byHand') && stages.every(({ seatsAfter }, s) => left[s] === 0 || after[s] >= seatsAfter)
  return reached ? { kind: 'reached' } : null
}

/** Returns by stage how many jobs wait after the decision. */
function jobsLeft({ stages, orders }: Posted): number[] {
  return stages.map(({ waiting }, s) => orders.reduce((left, { stage, jobs }) => (stage === s ? left - jobs : left), waiting))
}

/** Returns by stage how many workers are busy after the decision. */
function workersAfter({ stages, orders }: Posted): number[] {
  return stages.map(({ busy }, s) => orders.reduce((n, { stage, prefetch }) => (stage === s && !prefetch ? n + 1 : n), busy))
}

/** Puts the workers together that do the same for the same reason. */
function grouped(posts: readonly Post[]): Post[] {
  const groups = new Map<string, Post>()
  for (const post of posts) {
    const key = JSON.stringify([post.does, post.from, post.stage, post.above, post.reason])
    const same = groups.get(key)
    groups.set(key, same === undefined ? post : { ...same, workers: [...same.workers, ...post.workers] })
  }
  return [...groups.values()]
}

/** Returns the numbers of the values, from 0, for which something holds. */
export function numbersWhere<T>(values: readonly T[], holds: (value: T, i: number) => boolean): number[] {
  return values.flatMap((value, i) => (holds(value, i) ? [i] : []))
}
