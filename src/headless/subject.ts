import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import process from 'node:process'
import { readFragment } from '../scenario/link/codec.ts'
import { MAX_TEXT } from '../scenario/model/limits.ts'
import type { Parsed, Problem, Scenario } from '../scenario/model/scenario.ts'
import { goneIn, goneNotice } from '../scenario/parse/gone.ts'
import { parseText } from '../scenario/parse/parse.ts'
import type { DecisionQuestion } from '../scenario/parse/part.ts'
import { createTraceReader } from '../trace/formats/readTraceJson.ts'
import { MAX_TRACE_FILE } from '../trace/trace.ts'
import { bytes, count } from '../views/drawing/format.ts'
import { Refused } from './command.ts'

/** What a word of the command line names: a file, "-" for the standard input, or an address to fetch. */
export interface Input {
  /** As the person wrote it. */
  readonly word: string
  /** A file name for it, without folders. */
  readonly name: string
  /** In bytes; undefined for what comes through a pipe. */
  readonly size: number | undefined
  readonly parts: AsyncIterable<Uint8Array>
}

/** Opens an input. Throws Refused with its name if there is none, before a byte is read. */
export async function inputOf(word: string): Promise<Input> {
  try {
    if (word === '-') return { word: 'standard input', name: 'input.json', size: undefined, parts: process.stdin }
    return /^https?:\/\//i.test(word) ? await fetched(word) : opened(word)
  } catch (error) {
    throw unreadable(word, error)
  }
}

function opened(word: string): Input {
  const found = statSync(word)
  if (found.isDirectory()) throw new Error('it is a folder; allowed: a file')
  if (!found.isFile() && !found.isFIFO()) throw new Error('it is a device; allowed: a file')
  return { word, name: basename(word), size: found.isFile() ? found.size : undefined, parts: createReadStream(word) }
}

async function fetched(word: string): Promise<Input> {
  const response = await fetch(word).catch(({ cause, message }: Error) => {
    throw new Error(cause instanceof Error ? cause.message : message)
  })
  if (!response.ok || response.body === null)
    throw new Error(`the server answered ${response.status} ${response.statusText}`.trimEnd())
  const size = response.headers.has('content-encoding') ? null : response.headers.get('content-length')
  return {
    word,
    name: basename(new URL(word).pathname) || 'input.json',
    size: size === null ? undefined : Number(size),
    parts: response.body,
  }
}

/** Reads all bytes of an input. Throws Refused if it has more than `most`, and then reads none where it knows the size; `allowed` says what may be there. */
export async function readInput(input: Input, most: number, allowed: string = bytes(most)): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = input.size ?? 0
  const check = () => {
    if (size > most)
      throw unreadable(
        input.word,
        new Error(`it has ${bytes(size)}${input.size === undefined ? ' or more' : ''}; allowed: ${allowed}`),
      )
  }
  check()
  for await (const part of partsOf(input)) {
    parts.push(part)
    if (input.size === undefined) size += part.length
    check()
  }
  return Buffer.concat(parts)
}

/** Yields the bytes of an input. Throws Refused with its name where it breaks off. */
export async function* partsOf({ word, parts }: Input): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* parts
  } catch (error) {
    throw unreadable(word, error)
  }
}

function unreadable(word: string, error: unknown): Refused {
  return error instanceof Refused ? error : new Refused(word, `cannot be read: ${(error as Error).message}`)
}

/** How many bytes are read to tell a trace from a scenario. */
const SNIFF_BYTES = 4096

/** Returns where the fragment of a link begins that says what to open; -1 in what is no link. */
export function fragmentAt(word: string): number {
  return word.search(/#(json|s|ask)=/)
}

/** Returns the scenario of a file, a link or a trace, or the question of a link. Throws Refused if there is none. */
export async function readSubject(
  word: string,
): Promise<{ readonly scenario: Scenario } | { readonly question: DecisionQuestion }> {
  const mark = fragmentAt(word)
  if (mark < 0) return { scenario: await scenarioIn(await inputOf(word)) }
  const fragment = readFragment(word.slice(mark))
  if (fragment.found === 'scenario' && fragment.problems.length === 0) return { scenario: noted(fragment.scenario) }
  if (fragment.found === 'question') return { question: fragment.question }
  throw new Refused('problems' in fragment ? fragment.problems : [{ path: 'link', message: 'holds no scenario' }])
}

/** Returns the scenario of a file, a link or a trace. Throws Refused if there is none. */
export async function readScenario(word: string): Promise<Scenario> {
  const read = await readSubject(word)
  if ('scenario' in read) return read.scenario
  throw new Refused('link', 'found a question to the allocator; allowed: a scenario')
}

/** Returns the scenario that was parsed. Throws Refused with its problems, which name the input where there is one. */
export function accepted(parsed: Parsed, word?: string): Scenario {
  if ('problems' in parsed) throw new Refused(word === undefined ? parsed.problems : named(parsed.problems, word))
  return noted(parsed.scenario)
}

/** Returns the scenario; says on standard error what it had and this version no longer has. */
function noted(scenario: Scenario): Scenario {
  const names = goneIn(scenario)
  if (names.length > 0) console.error(goneNotice(names))
  return scenario
}

/** Returns problems that say in which input they are. */
export function named(problems: readonly Problem[], word: string): Problem[] {
  return problems.map(({ path, message }) => ({ path, message: `${message} (in ${word})` }))
}

/** A file that calls itself a trace is read as one, however large. */
async function scenarioIn(input: Input): Promise<Scenario> {
  const parts = partsOf(input)
  let head = new Uint8Array(0)
  while (head.length < SNIFF_BYTES) {
    const { value, done } = await parts.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  const whole = { ...input, parts: from(head, parts) }
  if (/"apportion-trace"/.test(new TextDecoder().decode(head.subarray(0, SNIFF_BYTES)))) return scenarioOfTrace(whole)
  if (head.length === 0)
    throw new Refused(
      named([{ path: '', message: 'the file is empty; allowed: a scenario or a trace, as JSON' }], input.word),
    )
  if (/^(fffe|feff)/.test(Buffer.from(head.subarray(0, 2)).toString('hex')))
    throw new Refused(named([{ path: '', message: 'the file is UTF-16. Save it as UTF-8, and try again' }], input.word))
  // A character takes at most three bytes for each of its UTF-16 units.
  const text = await readInput(whole, 3 * MAX_TEXT, `a scenario of at most ${count(MAX_TEXT)} characters`)
  return accepted(parseText(new TextDecoder().decode(text)), input.word)
}

async function scenarioOfTrace({ word, parts }: Input): Promise<Scenario> {
  const reader = createTraceReader()
  let size = 0
  for await (const part of parts) {
    size += part.length
    if (size > MAX_TRACE_FILE)
      throw new Refused(word, `the trace has more than ${bytes(MAX_TRACE_FILE)}, which is allowed`)
    if (!reader.push(part)) break
  }
  const read = reader.end()
  if ('problems' in read) throw new Refused(named(read.problems, word))
  console.error(`${word} is a trace. Its scenario is inside, and is played again.`)
  return noted(read.trace.scenario)
}

async function* from(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield head
  yield* rest
}
