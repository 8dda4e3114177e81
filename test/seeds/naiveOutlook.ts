import type { Policy } from '../../src/scenario/model/scenario.ts'
import type { Books } from './books.ts'

/** What a policy that looks ahead sees of a stage besides its queue, from the books alone. */
export function naiveOutlook(
  books: Books,
  policy: Policy,
  stage: number,
): { readonly coming: number; readonly urgency: number } {
  return {
    coming: policy.kind === 'preallocate' ? onTheWay(books, stage, policy.hops) : 0,
    urgency: policy.kind === 'deadline' ? 1 + ageOf(books, stage) / policy.due : 1,
  }
}

/** Jobs in service at most this many stages upstream, weighted by the share that comes here. */
function onTheWay(books: Books, stage: number, hops: number): number {
  if (hops === 0) return 0
  const feeders = books.feeders[stage]
  const parts = feeders.reduce(
    (sum, from) => sum + shareOf(books, from, stage) * (books.inHands(from) + onTheWay(books, from, hops - 1)),
    0,
  )
  return books.joins[stage] ? parts / feeders.length : parts
}

/** The age of the oldest job that has waited, if no job overtook another. */
function ageOf(books: Books, stage: number): number {
  if (books.waiting(stage) === 0) return 0
  const last = Math.floor(books.arrived - notStarted(books, stage) / visits(books, stage))
  return books.time - books.arrivedAt[Math.min(Math.max(last, 0), books.arrived - 1)]
}

/** Jobs that will pass a stage and have not started there. */
function notStarted(books: Books, stage: number): number {
  const before = books.feeders[stage].map(
    (from) => shareOf(books, from, stage) * (notStarted(books, from) + books.inHands(from)),
  )
  if (before.length === 0) return books.outside.length + books.waiting(stage)
  return (books.joins[stage] ? Math.max(0, ...before) : before.reduce((a, b) => a + b, 0)) + books.waiting(stage)
}

/** The share of all jobs that passes a stage. */
export function visits(books: Books, stage: number): number {
  const each = books.feeders[stage].map((from) => shareOf(books, from, stage) * visits(books, from))
  if (each.length === 0) return 1
  return books.joins[stage] ? Math.max(...each) : each.reduce((a, b) => a + b, 0)
}

function shareOf({ next, routes, scenario: { stages } }: Books, from: number, to: number): number {
  const { fanOut } = stages[from]
  if (fanOut === 'copy' || !routes[from]) return 1
  const total = next[from].reduce((sum, stage) => sum + fanOut.route[stages[stage].id], 0)
  return fanOut.route[stages[to].id] / total
}
