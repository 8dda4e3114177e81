import { deflateSync, Inflate, strToU8 } from 'fflate'
import { t } from '../../language/translate.ts'
import { compact } from '../model/compact.ts'
import { MAX_INFLATED, MAX_LINK, MAX_SHORT } from '../model/limits.ts'
import { type Parsed, type Problem, SCENARIO_VERSION, type Scenario } from '../model/scenario.ts'
import { countText, listed, quoted } from '../model/words.ts'
import { newer } from '../parse/checked.ts'
import { goneIn, noteGone } from '../parse/gone.ts'
import { parseJson } from '../parse/json.ts'
import { parse, parseText } from '../parse/parse.ts'
import { type DecisionQuestion, parseQuestion, plainQuestion } from '../parse/part.ts'
import { type Opening, plainOpening, readOpening, spellOpening } from './opening.ts'
import { readShort, writeShort } from './shortForm.ts'

/** `#json=`: URI-encoded JSON; `#s=`: version, checksum (5), deflated bytes in base64url; then opening.ts, `&t=...`. `#ask=`: a question (part.ts). */

export type Fragment =
  | { readonly found: 'nothing' }
  /** The problems concern only how the page opens; the scenario is valid. */
  | {
      readonly found: 'scenario'
      readonly scenario: Scenario
      readonly opening: Opening
      readonly problems: readonly Problem[]
    }
  | { readonly found: 'question'; readonly question: DecisionQuestion }
  | { readonly found: 'problems'; readonly problems: readonly Problem[] }

const JSON_MARK = '#json='
const SHORT_MARK = '#s='
const ASK_MARK = '#ask='
const VERSION = SCENARIO_VERSION.toString(36)
const CHECKSUM = 5

export function toJsonFragment(scenario: Scenario, opening: Partial<Opening> = {}): string {
  return JSON_MARK + encodeURIComponent(JSON.stringify(compact(scenario))) + spellOpening(opening)
}

/** Returns the short link, the same in every browser. `readFragment` refuses one beyond MAX_SHORT (lists of thousands): offer a file. */
export function toShortFragment(scenario: Scenario, opening: Partial<Opening> = {}): string {
  const body = toBase64url(deflate(writeShort(compact(scenario))))
  return SHORT_MARK + VERSION + checksum(VERSION + body) + body + spellOpening(opening)
}

export function toAskFragment(question: DecisionQuestion): string {
  return ASK_MARK + encodeURIComponent(JSON.stringify(plainQuestion(question)))
}

/** Reads the fragment of an address, with or without `#`. Returns nothing for an empty one only, since the page has no anchors. Never throws. */
export function readFragment(hash: string): Fragment {
  const fragment = hash.startsWith('#') ? hash : `#${hash}`
  if (fragment === '#') return { found: 'nothing' }
  if (fragment.length > MAX_LINK) return refused(tooLong(MAX_LINK))
  if (fragment.startsWith(ASK_MARK)) return readAsk(fragment.slice(ASK_MARK.length))
  const mark = [JSON_MARK, SHORT_MARK].find((each) => fragment.startsWith(each))
  if (mark === undefined)
    return refused(
      t('This link begins with {fragment}; allowed: {marks}. Copy the whole link and try again.', {
        fragment: quoted(fragment),
        marks: listed([JSON_MARK, SHORT_MARK, ASK_MARK], 'or'),
      }),
    )
  // Handwritten JSON may be unencoded, and a title may contain "&". So the parameters begin after the last brace.
  const brace = mark === JSON_MARK ? fragment.lastIndexOf('}') : -1
  const and = fragment.indexOf('&', Math.max(brace, mark.length))
  const body = fragment.slice(mark.length, and < 0 ? undefined : and)
  const parsed = mark === JSON_MARK ? readJson(body) : readShortBody(body)
  if ('problems' in parsed) return { found: 'problems', problems: parsed.problems }
  const { scenario } = parsed
  return {
    found: 'scenario',
    scenario,
    ...(and < 0
      ? { opening: plainOpening, problems: [] }
      : readOpening(fragment.slice(and + 1), scenario.branches.length, (gone) =>
          noteGone(scenario, [...goneIn(scenario), ...gone]),
        )),
  }
}

const tooLong = (most: number) =>
  t('This link is too long: more than {most} characters. Ask for a file.', { most: countText(most) })
const damaged = () => t('This link is incomplete or damaged. Copy the whole link and try again.')

function refused(message: string): { readonly found: 'problems'; readonly problems: readonly Problem[] } {
  return { found: 'problems', problems: [{ path: '', message }] }
}

function readJson(body: string): Parsed {
  const text = decoded(body)
  return text === null ? refused(notEncoded()) : parseText(text)
}

function readAsk(body: string): Fragment {
  const text = decoded(body)
  if (text === null) return refused(notEncoded())
  let json: unknown
  try {
    json = parseJson(text)
  } catch (error) {
    return refused(error instanceof RangeError ? error.message : damaged())
  }
  const read = parseQuestion(json)
  return 'problems' in read
    ? { found: 'problems', problems: read.problems }
    : { found: 'question', question: read.question }
}

const notEncoded = () => t('The JSON in this link is not URI-encoded. Write "%25" for "%".')

function decoded(body: string): string | null {
  try {
    return decodeURIComponent(body)
  } catch {
    return null
  }
}

function readShortBody(text: string): Parsed {
  if (text.length > MAX_SHORT) return refused(tooLong(MAX_SHORT))
  const version = text.slice(0, 1)
  const body = text.slice(1 + CHECKSUM)
  // Every version has its checksum at this place, so a damaged link is never taken for a newer one.
  if (text.slice(1, 1 + CHECKSUM) !== checksum(version + body)) return refused(damaged())
  if (/^[0-9a-z]$/.test(version) && Number.parseInt(version, 36) > SCENARIO_VERSION) return refused(newer(version))
  if (version !== VERSION) return refused(damaged())
  const bytes = fromBase64url(body)
  if (bytes === null) return refused(damaged())
  const inflated = inflate(bytes)
  if (inflated === 'too long') return refused(tooLong(MAX_INFLATED))
  if (inflated === 'broken') return refused(damaged())
  try {
    return parse(readShort(inflated))
  } catch {
    return refused(damaged())
  }
}

/** Returns thirty bits over the text as five characters: FNV-1a (Fowler, Noll, Vo 1991), mixed once more so that a cut shows in every bit. */
export function checksum(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  hash ^= hash >>> 13
  return toBase64url(Uint8Array.of(hash >>> 24, hash >>> 16, hash >>> 8, hash)).slice(0, CHECKSUM)
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** By character code: its place in the alphabet, or -1. */
const values = Int8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)))

/** Bytes as text that needs no escape in an address (RFC 4648, section 5), without padding. */
export function toBase64url(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const [a, b = 0, c = 0] = bytes.subarray(i, i + 3)
    const four =
      alphabet[a >> 2] + alphabet[((a & 3) << 4) | (b >> 4)] + alphabet[((b & 15) << 2) | (c >> 6)] + alphabet[c & 63]
    text += four.slice(0, Math.min(4, bytes.length - i + 1))
  }
  return text
}

/** Returns the bytes, or null for a text that `toBase64url` never makes: a strange character, a single one at the end, or stray bits. */
export function fromBase64url(text: string): Uint8Array | null {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const value = code < 128 ? values[code] : -1
    if (value < 0) return null
    held = ((held << 6) | value) & 0xfff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = held >> bits
  }
  return bits === 6 || (held & ((1 << bits) - 1)) !== 0 ? null : bytes
}

/** Text that most links contain, the most frequent last: deflate refers to it. Links of version 1 need it forever. */
const dictionary = strToU8(
  'Send email Publish Notify Charge Label Pack Review Deploy Test Build Sort Merge Filter Route Resize Encode Decode Index Store Load Save Upload Download Extract Transform Compress Hash Score Rank Render Fetch Authenticate Authorise Write Enrich Validate Parse Rush hour at the API gateway pipeline of the ',
)

/** Returns the same bytes in every browser. `mem` is given, since its default comes from a logarithm, which differs between engines. */
export function deflate(bytes: Uint8Array): Uint8Array {
  return deflateSync(bytes, { level: 9, mem: 8, dictionary })
}

/** Inflates at most MAX_INFLATED bytes, fed 256 bytes at a time: deflate can grow 1,032 times, and fflate returns all of a push at once. */
export function inflate(bytes: Uint8Array): Uint8Array | 'too long' | 'broken' {
  const chunks: Uint8Array[] = []
  let length = 0
  let ended = false
  const stream = new Inflate({ dictionary }, (chunk, final) => {
    chunks.push(chunk)
    length += chunk.length
    ended ||= final
  })
  try {
    for (let at = 0; at < bytes.length && length <= MAX_INFLATED; at += 256)
      stream.push(bytes.subarray(at, at + 256), at + 256 >= bytes.length)
  } catch {
    return 'broken'
  }
  if (length > MAX_INFLATED) return 'too long'
  if (!ended) return 'broken'
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
