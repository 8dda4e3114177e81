import { say } from '../language/say.ts'
import { fromBase64url, toBase64url } from './base64url.ts'
import { compact } from './compact.ts'
import { deflate, inflate } from './deflate.ts'
import { MAX_INFLATED, MAX_MICROS, MAX_SHORT, MAX_TEXT } from './limits.ts'
import { parse, parseText } from './parse.ts'
import { parseQuestion, plainQuestion, type Question } from './question.ts'
import { type Micros, type Parsed, type Problem, SCENARIO_VERSION, type Scenario } from './scenario.ts'
import { readShort, writeShort } from './shortForm.ts'
import { newer } from './upgrades.ts'
import { count, quoted } from './words.ts'

/**
 * A scenario as the fragment of a link, both ways:
 *
 *   #json=%7B%22version%22%3A1...      URI-encoded JSON, can be written by hand
 *   #s=1kQ3xZbMsNDQy...                version, checksum (5), deflated bytes in base64url
 *   ...&t=1500000&run=simulation       after either: opens at that time, starts at once
 *   ...&digest=90b4c1d2e3f40516        after either: the digest of the run it was made from
 *   #ask=%7B%22version%22%3A1...       URI-encoded JSON: a question to the allocator, see question.ts
 */

export type RunKind = 'simulation' | 'threads'

export interface Opening {
  /** Where the playhead stands when the link opens; null: at the beginning. */
  readonly at: Micros | null
  /** Which engine starts at once; null: none. */
  readonly run: RunKind | null
  /** Of the simulation the link was made from (see trace/digest.ts): 16 hexadecimal digits; null: none. */
  readonly digest: string | null
}

export type Fragment =
  | { readonly found: 'nothing' }
  | ({ readonly found: 'scenario'; readonly scenario: Scenario } & Opening)
  | { readonly found: 'question'; readonly question: Question }
  | { readonly found: 'problems'; readonly problems: readonly Problem[] }

const JSON_MARK = '#json='
const SHORT_MARK = '#s='
const ASK_MARK = '#ask='
const VERSION = SCENARIO_VERSION.toString(36)
const CHECKSUM = 5

export function toJsonFragment(scenario: Scenario, opening: Partial<Opening> = {}): string {
  return JSON_MARK + encodeURIComponent(JSON.stringify(compact(scenario))) + spelled(opening)
}

/**
 * The same characters for the same scenario in every browser: the compression is ours, not the browser's. A scenario with
 * lists of many thousands makes a link longer than MAX_SHORT, which `readFragment` refuses: offer such a one as a file.
 */
export function toShortFragment(scenario: Scenario, opening: Partial<Opening> = {}): string {
  const body = toBase64url(deflate(writeShort(compact(scenario))))
  return SHORT_MARK + VERSION + checksum(VERSION + body) + body + spelled(opening)
}

function spelled({ at = null, run = null, digest = null }: Partial<Opening>): string {
  return (at === null ? '' : `&t=${at}`) + (run === null ? '' : `&run=${run}`) + (digest === null ? '' : `&digest=${digest}`)
}

/** A question to the allocator, whole. */
export function toAskFragment(question: Question): string {
  return ASK_MARK + encodeURIComponent(JSON.stringify(plainQuestion(question)))
}

/** Reads the fragment of an address, with or without its `#`. Nothing: an empty fragment, or a plain anchor such as `#main`. Never throws. */
export function readFragment(hash: string): Fragment {
  const fragment = hash.startsWith('#') || hash === '' ? hash : `#${hash}`
  if (fragment.length > MAX_TEXT)
    return refused(say('the link has {length} characters; allowed: {MAX_TEXT}', { length: count(fragment.length), MAX_TEXT: count(MAX_TEXT) }))
  if (fragment.startsWith(ASK_MARK)) return readAsk(fragment.slice(ASK_MARK.length))
  const mark = [JSON_MARK, SHORT_MARK].find((each) => fragment.startsWith(each))
  if (mark === undefined) {
    if (fragment.length > 1 && [JSON_MARK, SHORT_MARK, ASK_MARK].some((whole) => whole.startsWith(fragment))) return refused(cut)
    return fragment.includes('=')
      ? refused(say('found {fragment}; allowed: a link that begins with {JSON_MARK} or {SHORT_MARK}', { fragment: quoted(fragment), JSON_MARK, SHORT_MARK }))
      : { found: 'nothing' }
  }
  // By hand one may write JSON as it is, where "&" can stand in a title: the rest then begins behind the last brace.
  const brace = mark === JSON_MARK ? fragment.lastIndexOf('}') : -1
  const and = fragment.indexOf('&', Math.max(brace, mark.length))
  const body = fragment.slice(mark.length, and < 0 ? undefined : and)
  const opening = and < 0 ? { at: null, run: null, digest: null } : readOpening(fragment.slice(and + 1))
  const parsed = mark === JSON_MARK ? readJson(body) : readShortBody(body)
  const problems = ['problems' in parsed ? parsed.problems : [], 'problems' in opening ? opening.problems : []].flat()
  if (problems.length > 0 || 'problems' in parsed || 'problems' in opening) return { found: 'problems', problems }
  return { found: 'scenario', scenario: parsed.scenario, ...opening }
}

const cut = 'the link is cut off or was altered on its way; copy the whole link once more'

function refused(message: string): { readonly found: 'problems'; readonly problems: readonly Problem[] } {
  return { found: 'problems', problems: [{ path: 'link', message }] }
}

function readOpening(rest: string): Opening | { readonly problems: readonly Problem[] } {
  const opening: { -readonly [K in keyof Opening]: Opening[K] } = { at: null, run: null, digest: null }
  const parts = rest.split('&', 4)
  if (parts.length > 3) return refused(say('too much stands after the scenario; allowed: &t=, &run= and &digest=, each once'))
  for (const part of parts) {
    const value = part.slice(part.indexOf('=') + 1)
    if (part.startsWith('t=') && opening.at === null) {
      if (!/^\d{1,16}$/.test(value) || Number(value) > MAX_MICROS)
        return refused(
          say('&t= is {value}; allowed: a whole number of microseconds from 0 to {MAX_MICROS}', { value: quoted(value), MAX_MICROS: count(MAX_MICROS) }),
        )
      opening.at = Number(value)
    } else if (part.startsWith('run=') && opening.run === null) {
      if (value !== 'simulation' && value !== 'threads') return refused(say('&run= is {value}; allowed: simulation or threads', { value: quoted(value) }))
      opening.run = value
    } else if (part.startsWith('digest=') && opening.digest === null) {
      if (!/^[0-9a-f]{16}$/.test(value))
        return refused(say('&digest= is {value}; allowed: 16 hexadecimal digits, all of which Share writes', { value: quoted(value) }))
      opening.digest = value
    } else
      return refused(say('{part} stands after the scenario, or the link is cut off there; allowed: &t=, &run= and &digest=, each once', { part: quoted(part) }))
  }
  return opening
}

function readJson(body: string): Parsed {
  const text = decoded(body)
  return text === null ? refused(notEncoded) : parseText(text)
}

function readAsk(body: string): Fragment {
  const text = decoded(body)
  if (text === null) return refused(notEncoded)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return refused(say('the question in the link is not JSON, or the link is cut off'))
  }
  const read = parseQuestion(json)
  return 'problems' in read ? { found: 'problems', problems: read.problems } : { found: 'question', question: read.question }
}

const notEncoded =
  'the JSON in the link is not URI-encoded: a "%" stands without its two hexadecimal digits, or the link is cut off; write "%25" for a percent sign'

function decoded(body: string): string | null {
  try {
    return decodeURIComponent(body)
  } catch {
    return null
  }
}

function readShortBody(text: string): Parsed {
  if (text.length > MAX_SHORT)
    return refused(say('the short link has {length} characters; allowed: {MAX_SHORT}', { length: count(text.length), MAX_SHORT: count(MAX_SHORT) }))
  const version = text.slice(0, 1)
  if (/^[0-9a-z]$/.test(version) && Number.parseInt(version, 36) > SCENARIO_VERSION) return refused(newer(version))
  const body = text.slice(1 + CHECKSUM)
  if (version !== VERSION || text.slice(1, 1 + CHECKSUM) !== checksum(version + body)) return refused(cut)
  const bytes = fromBase64url(body)
  if (bytes === null) return refused(cut)
  const inflated = inflate(bytes)
  if (inflated === 'too long')
    return refused(say('the short link inflates to more than {MAX_INFLATED} bytes, which no scenario needs', { MAX_INFLATED: count(MAX_INFLATED) }))
  if (inflated === 'broken') return refused(cut)
  try {
    return parse(readShort(inflated))
  } catch {
    return refused(cut)
  }
}

/** Thirty bits over the text, in five characters: FNV-1a (Fowler, Noll, Vo 1991) with a last stirring, so that a cut shows in every bit. */
export function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash ^= hash >>> 13
  return toBase64url(Uint8Array.of(hash >>> 24, hash >>> 16, hash >>> 8, hash)).slice(0, CHECKSUM)
}
