import { parseJson } from './json.ts'
import { isPlainObject } from './shape.ts'

/** Scenarios of earlier versions could hide service times and the policy from the page. In files and links these were sealed. */

type Given = Readonly<Record<string, unknown>>

/** The keys of a stage that a hidden service time covers. */
const serviceKeys = ['service', 'changes'] as const

/**
 * Returns the scenario with its hidden values back in their places; the same object if it hides nothing. Where a seal cannot be opened, `hidden`
 * stays, and the schema refuses it: without the value another run would be played.
 */
export function withoutHidden(given: Given): Given {
  if (!Object.hasOwn(given, 'hidden') || !Array.isArray(given.hidden)) return given
  const { hidden, ...rest } = given
  let scenario: Given = rest
  for (const item of hidden as readonly unknown[]) {
    const opened = isPlainObject(item) ? withoutSeal(scenario, item as Given) : null
    if (opened === null) return given
    scenario = opened
  }
  return scenario
}

function withoutSeal(scenario: Given, { kind, stage: id, sealed }: Given): Given | null {
  if (sealed === undefined) return scenario
  if (kind === 'policy') {
    const policy = opened(sealed, 'policy ')
    return policy === null || Object.hasOwn(scenario, 'policy') ? null : { ...scenario, policy }
  }
  const value = opened(sealed, `service ${id} `)
  const stages: readonly unknown[] = Array.isArray(scenario.stages) ? scenario.stages : []
  const s = stages.findIndex((stage) => isPlainObject(stage) && (stage as Given).id === id)
  if (value === null || s < 0 || serviceKeys.some((key) => Object.hasOwn(stages[s] as Given, key))) return null
  const service = Object.fromEntries(Object.entries(value).filter(([key]) => serviceKeys.some((each) => each === key)))
  return { ...scenario, stages: stages.map((stage, k) => (k === s ? { ...(stage as Given), ...service } : stage)) }
}

function opened(sealed: unknown, where: string): Given | null {
  const text = typeof sealed === 'string' ? unsealedText(sealed, where) : null
  try {
    const value = text === null ? null : parseJson(text)
    return isPlainObject(value) ? (value as Given) : null
  } catch {
    return null
  }
}

/**
 * Returns the JSON that was sealed for this place; null for any other text. Two letters from a to p are a byte: first a checksum, which is the
 * salt too, then the masked JSON.
 */
function unsealedText(sealed: string, where: string): string | null {
  if (!/^(?:[a-p]{2}){5,}$/.test(sealed)) return null
  const half = (i: number) => sealed.charCodeAt(i) - 'a'.charCodeAt(0)
  const bytes = Array.from({ length: sealed.length / 2 }, (_, i) => half(2 * i) * 16 + half(2 * i + 1))
  const salt = ((bytes[0] << 24) | (bytes[1] << 16) | (bytes[2] << 8) | bytes[3]) >>> 0
  const text = masked(bytes.slice(4), salt)
    .map((code) => String.fromCharCode(code))
    .join('')
  return hashed(where + text) === salt ? text : null
}

/** XORs the bytes with a stream that follows from the salt (xorshift, Marsaglia 2003). */
function masked(bytes: readonly number[], salt: number): number[] {
  let state = salt === 0 ? 1 : salt
  return bytes.map((byte) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return byte ^ (state & 255)
  })
}

/** Returns 32 bits over the text: FNV-1a (Fowler, Noll, Vo 1991), mixed once more. */
function hashed(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
}
