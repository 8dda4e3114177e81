import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import process from 'node:process'
import { isatty } from 'node:tty'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { Journal } from '../pipeline/journal.ts'
import { countOf, FAILED, RELEASED } from '../pipeline/rows.ts'
import { MAX_DECISION, type Studies, sayingSo, TOO_SLOW } from '../runs/remote/studies.ts'
import type { Problem } from '../scenario/model/scenario.ts'
import { counted, problemsText } from '../scenario/model/words.ts'
import { percent } from '../views/drawing/format.ts'

/** The reasons why a command cannot do what it is asked, one per line. One reason may be given as a path and a message. */
export class Refused extends Error {
  constructor(problems: readonly Problem[] | string, message = '') {
    super(problemsText(typeof problems === 'string' ? [{ path: problems, message }] : problems))
  }
}

/** Returns the error for a wrong word on the command line, with the usage. */
export function wrongWords(path: string, message: string, usage: string): Refused {
  return new Refused(path, `${message}\n\n${usageShown(usage)}`)
}

/** Returns the one word that a command is about, such as a file. Throws Refused if there is none, or several. */
export function oneSubject(subjects: readonly string[], kind: string, usage: string): string {
  if (subjects.length === 1) return subjects[0]
  throw wrongWords(
    '',
    subjects.length === 0
      ? `which ${kind}? A file or a link is missing`
      : `one ${kind} at a time, not ${subjects.length}: ${subjects.join(' ')}`,
    usage,
  )
}

/** Returns a usage with each {command} as the person has called it: by `npm run` in a clone, else as the command of the package. */
export function usageShown(usage: string): string {
  return usage.replace(/\{(\w+)\}/g, (_, name) =>
    process.env.npm_lifecycle_event === name ? `npm run -s ${name} --` : `apportion ${name}`,
  )
}

/** Options without a value. */
const flags = ['--json', '--link']
/** Options that may be given several times. */
const repeated = ['--change', '--host']

/**
 * Reads the words behind a command. Every option takes a value (`--seed 3`, `--seed=3`), except `--json` and `--link`, whose value is 'yes'.
 * `lists`: all values of an option, in order. Throws Refused if an option is unknown, has no value, or is given twice though it may not.
 */
export function readWords(words: readonly string[], options: readonly string[], usage: string) {
  const types = options.map((name) => [name.slice(2), { type: flags.includes(name) ? 'boolean' : 'string' }] as const)
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(types),
    strict: false,
    tokens: true,
  })
  const subjects: string[] = []
  const lists = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind === 'positional') subjects.push(token.value)
    if (token.kind !== 'option') continue
    const { rawName, value, inlineValue } = token
    if (!options.includes(rawName)) throw wrongWords(rawName, 'unknown option', usage)
    const isFlag = flags.includes(rawName)
    if (!isFlag && (!value || (!inlineValue && value.startsWith('--'))))
      throw wrongWords(rawName, 'stands without its value', usage)
    const list = lists.get(rawName) ?? []
    if (list.length > 0 && !repeated.includes(rawName)) throw wrongWords(rawName, 'is listed twice', usage)
    lists.set(rawName, [...list, isFlag ? 'yes' : (value ?? '')])
  }
  return { subjects, lists, values: new Map([...lists].map(([name, list]) => [name, list[0]])) }
}

/** Writes a text and a line end to the standard output. */
export function print(text: string): void {
  try {
    writeWhole(1, `${text}\n`)
  } catch (error) {
    throw new Refused('standard output', `cannot be written: ${(error as Error).message}`)
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

/**
 * Writes a file in parts. A regular file keeps its old content until the new one is whole: it is written beside it and renamed. Others, such as
 * /dev/stdout and pipes, are written as they are. `option` is what asked for the file.
 */
export function writeParts(option: string, file: string, parts: Iterable<string>): void {
  let beside: string | null = null
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    const place = found === undefined ? file : realpathSync(file)
    const isPlain = found === undefined ? !isLink(file) : found.isFile()
    // Who may not write the file must not replace it either.
    if (found?.isFile()) accessSync(place, constants.W_OK)
    const out = (isPlain ? openBeside(place, found?.mode) : null) ?? { name: null, number: openSync(file, 'w') }
    beside = out.name
    try {
      for (const part of parts) writeWhole(out.number, part)
    } finally {
      closeSync(out.number)
    }
    if (beside !== null) renameSync(beside, place)
  } catch (error) {
    if (beside !== null) rmSync(beside, { force: true })
    throw new Refused(option, `${file} cannot be written: ${(error as Error).message}`)
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

/** Opens a new file in the same folder; null if the folder takes none. */
function openBeside(file: string, mode = 0o666): { readonly name: string; readonly number: number } | null {
  const name = `${file}.${process.pid}.part`
  try {
    return { name, number: openSync(name, 'wx', mode) }
  } catch {
    return null
  }
}

/**
 * Returns a loader of code whose decisions another thread watches. It ends the whole process in words if one takes too long: nothing else can end a
 * built-in function that is under way.
 */
export function watchedHere(loadCode: Studies['loadCode']): Studies['loadCode'] {
  const said = new Int32Array(new SharedArrayBuffer(8))
  let watching = false
  return sayingSo(loadCode, (deciding) => {
    Atomics.store(said, 0, deciding ? 1 : 0)
    Atomics.add(said, 1, 1)
    if (!watching)
      new Worker(watcher, {
        eval: true,
        workerData: { said, words: `policy: ${TOO_SLOW}\n`, checks: MAX_DECISION / 100 },
      }).unref()
    watching = true
  })
}

/** Time during which the machine sleeps counts as one check. */
const watcher = `const { said, words, checks } = require('node:worker_threads').workerData
let [before, times] = [0, 0]
const timer = setInterval(() => {
  times = said[0] === 1 && said[1] === before ? times + 1 : 0
  before = said[1]
  if (times < checks) return
  // On a busy machine the process may take a while to end.
  clearInterval(timer)
  require('node:fs').writeSync(2, words)
  process.kill(process.pid, 'SIGTERM')
}, 100)`

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
