import { play, report } from './failing.ts'
import { planOf } from './plans.ts'
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

/** Plays the games of the seeds from `from` on, one after the other, and stops at the first that breaks a rule. */
export async function playSeeds(from: number, count: number, heard: (games: number) => void = () => {}): Promise<Played> {
  const digest = createDigest()
  let rows = 0
  for (let seed = from; seed < from + count; seed++) {
    const plan = planOf(seed)
    try {
      const { referee } = await play(plan)
      rows += referee.rows.length
      digest.add(referee)
    } catch {
      return { games: seed - from + 1, rows, failure: await report(plan), digest: digest.toString() }
    }
    heard(seed - from + 1)
  }
  return { games: count, rows, failure: null, digest: digest.toString() }
}

/** Two lanes of FNV-1a (Fowler, Noll and Vo 1991) over 32-bit words. */
function createDigest() {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  const mix = (word: number) => {
    a = Math.imul(a ^ word, 0x01000193)
    b = Math.imul(b ^ word, 0x85ebca6b)
    b ^= b >>> 13
  }
  const mixTime = (time: number) => {
    const high = Math.floor(time / 0x100000000)
    mix(time - high * 0x100000000)
    mix(high)
  }
  return {
    add({ rows, decisions }: Game['referee']) {
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
    },
    toString: () => [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join(''),
  }
}
