import process from 'node:process'
import type { Problem } from '../scenario/model/scenario.ts'
import { writeWhole } from './terminal.ts'

/** The reasons why a command cannot do what it is asked, one per line. */
export class Refused extends Error {
  constructor(problems: readonly Problem[]) {
    super(problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('\n'))
  }
}

/** Returns the error of a word on the command line that is wrong, with the usage. */
export function wrongWords(path: string, message: string, usage: string): Refused {
  return new Refused([{ path, message: `${message}\n\n${usage}` }])
}

/** The words of a command line. A flag without a value has the value 'yes'. */
interface Words {
  readonly subjects: readonly string[]
  readonly values: ReadonlyMap<string, string>
}

/** Reads the words behind a command. Every option takes a value (`--seed 3`, `--seed=3`), except `--json`. */
export function readWords(words: readonly string[], options: readonly string[], usage: string): Words {
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
    if (values.has(name)) throw wrongWords(name, 'stands here twice', usage)
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

/** Runs a command with the words of its command line. What it refuses goes to the standard error, with status 1. */
export async function runCommand(main: (words: readonly string[]) => Promise<void>): Promise<void> {
  try {
    await main(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
