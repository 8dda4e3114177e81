import { expect } from 'vitest'
import type { Problem } from '../../src/scenario/model/scenario.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { repeats } from '../fixtures/extent.ts'

/** FUZZ=5000000 feeds more, FIRST_FUZZ=100000 begins elsewhere. */
const ALL = Number(import.meta.env?.FUZZ ?? repeats(20_000))
const FIRST = Number(import.meta.env?.FIRST_FUZZ ?? 0)
/** For at least this many inputs, however busy the machine is. */
export const patience = { timeout: 600_000 + 10 * ALL }
/** A message that is longer is read by nobody. */
const LONGEST_MESSAGE = 1000
const LONGEST_PATH = 300
const MAX_PROBLEMS = 51

/**
 * Feeds `share` of all inputs. `feed` makes an input of chance, has it read and returns what is wrong with what came of it, or null. What
 * fails says its number: with FIRST_FUZZ set to that and FUZZ=1 it is fed again.
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

/** What is wrong with problems as a reader tells them: each has a path, few words, and there are not too many. */
export function wrongIn(problems: readonly Problem[], most = MAX_PROBLEMS): string | null {
  if (problems.length === 0) return 'refused without a problem'
  if (problems.length > most) return `${problems.length} problems`
  for (const { path, message } of problems) {
    if (typeof path !== 'string' || path.length > LONGEST_PATH) return `a path of ${String(path).length} characters: ${String(path).slice(0, 400)}`
    if (typeof message !== 'string' || message === '') return `no message at ${path}`
    if (message.length > LONGEST_MESSAGE) return `a message of ${message.length} characters: ${message.slice(0, 400)}`
    if (/\bundefined\b|\[object /.test(message)) return `a message that is none: ${message}`
  }
  return null
}
