import { createDigest, type Digest } from '../../src/trace/digest.ts'
import { failureOf, play, report } from './failing.ts'
import { planOf, roomPlanOf } from './plans.ts'
import type { Game } from './world.ts'

/** What came of many games. */
export interface Played {
  readonly games: number
  /** Rows of all of them: facts, orders and consequences. */
  readonly rows: number
  /** The first that broke a rule, made as small as it gets, in words; null if none did. */
  readonly failure: string | null
  /** Of every row and decision of all of them, as far as they went. */
  readonly digest: string
}

/** Plays the games of the seeds from `from` on, all of them in a `room` or not, one after the other, and stops at the first that breaks a rule. */
export async function playSeeds(from: number, count: number, room = false): Promise<Played> {
  const digest = createDigest()
  let rows = 0
  for (let seed = from; seed < from + count; seed++) {
    const plan = room ? roomPlanOf(seed) : planOf(seed)
    try {
      const { referee } = await play(plan)
      rows += referee.rows.length
      addGame(digest, referee)
    } catch {
      return { games: seed - from + 1, rows, failure: await report(plan), digest: digest.toString() }
    }
  }
  return { games: count, rows, failure: null, digest: digest.toString() }
}

/** The first of this many seeds, or of `known` and then these, whose game, in a `room` or not, breaks a rule, and in one line which; null if none does. */
export async function firstBroken(
  count: number,
  known: readonly number[],
  room: boolean,
  heard: (seed: number) => void,
): Promise<{ readonly seed: number; readonly message: string } | null> {
  for (const seed of [...known, ...Array(count).keys()]) {
    heard(seed)
    const failure = await failureOf(room ? roomPlanOf(seed) : planOf(seed))
    if (failure !== null) return { seed, message: failure.message.split('\n')[0].slice(0, 160) }
  }
  return null
}

/** The digest of a game takes in what a run's does, of rows and decisions as the referee keeps them. */
function addGame({ mix, mixTime }: Digest, { rows, decisions }: Game['referee']): void {
  for (const { time, kind, stage, worker, job, began, ended } of rows) {
    mixTime(time)
    mix((kind << 24) ^ (stage << 12) ^ worker)
    mix(job)
    mixTime(began)
    mixTime(ended)
  }
  for (const { row, hash, seats } of decisions) {
    mix(row)
    mix(hash)
    for (const seat of seats) mix(seat)
  }
}
