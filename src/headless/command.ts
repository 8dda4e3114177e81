import { readFileSync, statSync, writeSync } from 'node:fs'
import process from 'node:process'
import { isatty } from 'node:tty'
import type { Journal } from '../pipeline/journal.ts'
import { countOf, FAILED, RELEASED } from '../pipeline/rows.ts'
import { readFragment } from '../scenario/link/codec.ts'
import { MAX_TEXT } from '../scenario/model/limits.ts'
import type { Parsed, Problem, Scenario } from '../scenario/model/scenario.ts'
import { counted } from '../scenario/model/words.ts'
import { parseText } from '../scenario/parse/parse.ts'
import type { DecisionQuestion } from '../scenario/parse/question.ts'
import { bytes, count, percent } from '../views/drawing/format.ts'

/** The reasons why a command cannot do what it is asked, one per line. */
export class Refused extends Error {
  constructor(problems: readonly Problem[]) {
    super(problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('\n'))
  }
}

/** Returns the error for a wrong word on the command line, with the usage. */
export function wrongWords(path: string, message: string, usage: string): Refused {
  return new Refused([{ path, message: `${message}\n\n${usage}` }])
}

/** Reads the words behind a command. Every option takes a value (`--seed 3`, `--seed=3`), except `--json`, whose value is 'yes'. */
export function readWords(words: readonly string[], options: readonly string[], usage: string) {
  const values = new Map<string, string>()
  const subjects: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i]
    if (!word.startsWith('--')) {
      subjects.push(word)
      continue
    }
    const [name, inline] = word.includes('=') ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word]
    if (!options.includes(name)) throw wrongWords(name, 'unknown option', usage)
    const value = name === '--json' ? 'yes' : (inline ?? words[++i])
    if (value === undefined || value === '' || (inline === undefined && value.startsWith('--'))) throw wrongWords(name, 'stands without its value', usage)
    if (values.has(name)) throw wrongWords(name, 'is listed twice', usage)
    values.set(name, value)
  }
  return { subjects, values }
}

/** Writes a text and a line end to the standard output. */
export function print(text: string): void {
  try {
    writeWhole(1, `${text}\n`)
  } catch (error) {
    throw new Refused([{ path: 'standard output', message: `cannot be written: ${(error as Error).message}` }])
  }
}

/** Runs a command with the words of its command line. Errors go to the standard error, with status 1. */
export async function runCommand(main: (words: readonly string[]) => Promise<void>): Promise<void> {
  try {
    await main(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

/** Reads a scenario from a file or a pipe. Throws before a byte is read if it is too large, or endless. */
export function readText(file: string): string {
  const found = statSync(file)
  if (found.isDirectory()) throw new Error('it is a folder; allowed: a file')
  if (!found.isFile() && !found.isFIFO()) throw new Error('it is a device; allowed: a file')
  // A character takes at most three bytes for each of its UTF-16 units.
  if (found.size > 3 * MAX_TEXT) throw new Error(`it has ${bytes(found.size)}; allowed: a scenario of at most ${count(MAX_TEXT)} characters`)
  return readFileSync(file, 'utf8')
}

/** Writes all of it, in as many pieces as the system takes: a disk may be full after the first, and a pipe may ask to wait. */
export function writeWhole(out: number, text: string): void {
  let left = Buffer.from(text)
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(out, left))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/** Shows the progress of a long run on a line of the terminal, which is cleared at the end. */
export function createProgress(name: string, jobs: number) {
  const line = createStatusLine()
  let out = 0
  return {
    onJournal({ rows }: Journal): void {
      if (!line.shows) return
      out += countOf(rows, RELEASED) + countOf(rows, FAILED)
      line.tell(() => `${name}: ${percent(out / jobs)} of ${counted(jobs, 'job')}`)
    },
    end: line.end,
  }
}

/** A status line at the bottom of a terminal. It changes at most twice a second and is removed at the end. Elsewhere there is none. */
export function createStatusLine() {
  const shows = isatty(2)
  let printedAt = Date.now()
  let width = 0
  const write = (text: string) => {
    process.stderr.write(`\r${text.padEnd(width)}`)
    width = text.length
  }
  return {
    shows,
    tell(text: () => string): void {
      if (!shows || Date.now() - printedAt < 500) return
      printedAt = Date.now()
      write(text())
    },
    end(): void {
      if (width === 0) return
      write('')
      process.stderr.write('\r')
    },
  }
}

/** Returns the scenario of a file or a link, or the question of a link. Throws Refused if there is none. */
export function readSubject(subject: string): { readonly scenario: Scenario } | { readonly question: DecisionQuestion } {
  const mark = subject.search(/#(json|s|ask)=/)
  if (mark < 0) return { scenario: accepted(parseText(readFile(subject))) }
  const fragment = readFragment(subject.slice(mark))
  if (fragment.found === 'scenario' && fragment.problems.length === 0) return { scenario: fragment.scenario }
  if (fragment.found === 'question') return { question: fragment.question }
  throw new Refused('problems' in fragment ? fragment.problems : [{ path: 'link', message: 'holds no scenario' }])
}

/** Returns the scenario of a file or a link. Throws Refused if there is none. */
export function readScenario(subject: string): Scenario {
  const read = readSubject(subject)
  if ('scenario' in read) return read.scenario
  throw new Refused([{ path: 'link', message: 'found a question to the allocator; allowed: a scenario' }])
}

function readFile(file: string): string {
  try {
    return readText(file)
  } catch (error) {
    throw new Refused([{ path: file, message: `cannot be read: ${(error as Error).message}` }])
  }
}

/** Returns the scenario that was parsed. Throws Refused with its problems. */
export function accepted(parsed: Parsed): Scenario {
  if ('problems' in parsed) throw new Refused(parsed.problems)
  return parsed.scenario
}
