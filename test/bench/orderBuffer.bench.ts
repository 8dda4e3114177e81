import { performance } from 'node:perf_hooks'
import { createOrderBuffer } from '../../src/pipeline/orderBuffer.ts'
import { createChance } from '../fixtures/chance.ts'
import type { BenchRow } from './tools.ts'

const SLOTS = 1024

/**
 * Restoring the order of jobs: through a ring of 1,024 as they finish, and by sorting at the end. Tickets finish in
 * any order that the ring allows, the same for both. Milliseconds for all tickets, the best of several rounds.
 */
export default function orderBuffer(tools?: { readonly quick: boolean }): BenchRow[] {
  const tickets = tools?.quick ? 20_000 : 2_000_000
  const rounds = tools?.quick ? 1 : 7
  const order = finishingOrder(tickets)
  const jobs = Array.from(order, (ticket) => ({ ticket }))
  const way = (name: string, firstOutAfter: number, most: number, work: () => number): BenchRow => {
    const expected = (tickets * (tickets - 1)) / 2
    let ms = Infinity
    for (let round = 0; round < rounds; round++) {
      const began = performance.now()
      const sum = work()
      ms = Math.min(ms, performance.now() - began)
      if (sum !== expected) throw new Error(`${name} lost a ticket or its order`)
    }
    return {
      name: `${tickets} tickets, ${name}`,
      figures: {
        ms: round3(ms),
        'ns a ticket': round3((ms * 1e6) / tickets),
        'first out after': firstOutAfter,
        'most jobs kept': most,
      },
    }
  }
  const { first, most } = throughRing(jobs)
  return [
    way(`a ring of ${SLOTS}`, first, most, () => throughRing(jobs).sum),
    way('sorted at the end', tickets, tickets, () => sortedAtTheEnd(jobs)),
    way('numbers alone, typed, sorted at the end', tickets, tickets, () => ascending(order.slice().sort())),
  ]
}

interface Job {
  readonly ticket: number
}

function throughRing(jobs: readonly Job[]): { readonly sum: number; readonly first: number; readonly most: number } {
  const buffer = createOrderBuffer<Job>(SLOTS)
  let sum = 0
  let last = -1
  let first = 0
  let most = 0
  for (let i = 0; i < jobs.length; i++) {
    const released = buffer.put(jobs[i].ticket, jobs[i])
    if (buffer.held > most) most = buffer.held
    for (let k = 0; k < released.length; k++) {
      const { ticket } = released[k]
      if (last < 0) first = i + 1
      if (ticket !== last + 1) return { sum: Number.NaN, first, most }
      last = ticket
      sum += ticket
    }
  }
  return { sum, first, most }
}

function sortedAtTheEnd(jobs: readonly Job[]): number {
  const kept = jobs.slice().sort((a, b) => a.ticket - b.ticket)
  let sum = 0
  for (let i = 0; i < kept.length; i++) {
    if (kept[i].ticket !== i) return Number.NaN
    sum += kept[i].ticket
  }
  return sum
}

function ascending(tickets: Int32Array): number {
  let sum = 0
  for (let i = 0; i < tickets.length; i++) {
    if (tickets[i] !== i) return Number.NaN
    sum += tickets[i]
  }
  return sum
}

/** About 512 jobs are in progress at a time, and any of them may finish next; no ticket beyond the ring starts. */
function finishingOrder(tickets: number): Int32Array {
  const chance = createChance(1)
  const order = new Int32Array(tickets)
  const finished = new Uint8Array(tickets)
  const underway: number[] = []
  let started = 0
  let tail = 0
  for (let i = 0; i < tickets; i++) {
    while (underway.length < SLOTS / 2 && started < tickets && started < tail + SLOTS) underway.push(started++)
    const k = chance.below(underway.length)
    order[i] = underway[k]
    underway[k] = underway[underway.length - 1]
    underway.pop()
    finished[order[i]] = 1
    while (tail < tickets && finished[tail] === 1) tail++
  }
  return order
}

function round3(n: number): number {
  return Number(n.toPrecision(3))
}
