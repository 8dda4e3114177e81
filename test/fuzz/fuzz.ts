import { expect } from 'vitest'
import type { Problem } from '../../src/scenario/model/scenario.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'

/** FUZZ=5000000 feeds more inputs, FIRST_FUZZ=100000 begins at another number. */
const ALL = Number(import.meta.env?.FUZZ ?? repeats(10_000))
const FIRST = Number(import.meta.env?.FIRST_FUZZ ?? 0)
/** The time limit: enough for this many inputs on a busy machine. */
export const patience = { timeout: 600_000 + 10 * ALL }
/** A longer message is too long to read. */
const LONGEST_MESSAGE = 1000
const LONGEST_PATH = 300
const MAX_PROBLEMS = 51

/**
 * Feeds `share` of all inputs. `feed` creates a random input, reads it and returns what is wrong with the result, or null. A
 * failure gives its number: FIRST_FUZZ set to that number and FUZZ=1 repeat it.
 */
export function fuzz(share: number, feed: (chance: Chance, k: number) => string | null): void {
  const most = Math.max(1, Math.round(ALL * share))
  for (let k = FIRST; k < FIRST + most; k++) {
    let wrong: string | null
    try {
      wrong = feed(createChance(k), k)
    } catch (error) {
      wrong = `it threw ${error instanceof Error ? error.stack : String(error)}`
    }
    if (wrong !== null) expect.fail(`input ${k}: ${wrong}`)
  }
}

/** Returns what is wrong with the problems of a reader: each has a path and few words, and their number is limited. */
export function wrongIn(problems: readonly Problem[], most = MAX_PROBLEMS): string | null {
  if (problems.length === 0) return 'refused without a problem'
  if (problems.length > most) return `${problems.length} problems`
  for (const { path, message } of problems) {
    if (typeof path !== 'string' || path.length > LONGEST_PATH)
      return `a path of ${String(path).length} characters: ${String(path).slice(0, 400)}`
    if (typeof message !== 'string' || message === '') return `no message at ${path}`
    if (message.length > LONGEST_MESSAGE) return `a message of ${message.length} characters: ${message.slice(0, 400)}`
    if (/\bundefined\b|\[object /.test(message)) return `a message that is none: ${message}`
  }
  return null
}
