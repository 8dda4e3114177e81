import type { Hidden, Scenario } from './scenario.ts'

/** In memory a scenario contains its hidden values, because a run needs them. In files and links they are sealed; `parse` opens the seals. */

type Written = Readonly<Record<string, unknown>>

/** The keys of a stage that a hidden service time covers. */
export const serviceKeys = ['service', 'changes'] as const

export function placeOf(secret: Hidden): string {
  return secret.kind === 'service' ? `service ${secret.stage} ` : 'policy '
}

export function hides({ hidden }: Scenario, secret: Hidden): boolean {
  return hidden.some((each) => placeOf(each) === placeOf(secret))
}

export function withHidden(scenario: Scenario, secret: Hidden): Scenario {
  return hides(scenario, secret) ? scenario : { ...scenario, hidden: [...scenario.hidden, secret] }
}

export function withoutHidden(scenario: Scenario, secret: Hidden): Scenario {
  const hidden = scenario.hidden.filter((each) => placeOf(each) !== placeOf(secret))
  return hidden.length === scenario.hidden.length ? scenario : { ...scenario, hidden }
}

/** Returns a compact scenario in which each hidden value is replaced by its seal. */
export function withSeals(compact: Written, hidden: readonly Hidden[]): Written {
  if (hidden.length === 0) return compact
  const { policy, ...rest } = compact
  const stages = new Map((compact.stages as readonly Written[]).map((stage) => [stage.id, stage]))
  const sealed = hidden.map((secret) => {
    const value = secret.kind === 'policy' ? policy : taken(stages, secret.stage)
    return { ...secret, sealed: seal(value ?? {}, placeOf(secret)) }
  })
  const shown = hidden.some(({ kind }) => kind === 'policy') || policy === undefined ? rest : { ...rest, policy }
  return { ...shown, stages: [...stages.values()], hidden: sealed }
}

/** Removes the service time from the entry of a stage, and returns it. */
function taken(stages: Map<unknown, Written>, id: string): Written {
  const stage = stages.get(id) ?? {}
  const covered = (key: string) => (serviceKeys as readonly string[]).includes(key)
  const entries = Object.entries(stage)
  stages.set(id, Object.fromEntries(entries.filter(([key]) => !covered(key))))
  return Object.fromEntries(entries.filter(([key]) => covered(key)))
}

/** A puzzle, not a secret: anyone with this code opens it. A checksum, which is the salt too, and masked JSON; `where` fits it to one place only. */

/** Returns the sealed form: letters from a to p, so that no digit of a number can show. */
export function seal(value: unknown, where: string): string {
  const json = JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const text = json.padEnd(Math.ceil(json.length / STEP) * STEP)
  const salt = hashed(where + text)
  return (
    lettersOf([salt >>> 24, (salt >>> 16) & 255, (salt >>> 8) & 255, salt & 255]) +
    lettersOf(masked(codesOf(text), salt))
  )
}

/** Returns the JSON that was sealed for this place; null for any other text. */
export function unsealedText(sealed: string, where: string): string | null {
  if (!/^(?:[a-p]{2}){5,}$/.test(sealed)) return null
  const bytes = codesOf(sealed).reduce<number[]>((all, code, i) => {
    if (i % 2 === 0) all.push((code - FIRST) * 16)
    else all[all.length - 1] += code - FIRST
    return all
  }, [])
  const salt = ((bytes[0] << 24) | (bytes[1] << 16) | (bytes[2] << 8) | bytes[3]) >>> 0
  const text = masked(bytes.slice(4), salt)
    .map((code) => String.fromCharCode(code))
    .join('')
  return hashed(where + text) === salt ? text : null
}

/** JSON is padded with spaces to a multiple of this, so its length reveals little. */
const STEP = 48
const FIRST = 'a'.charCodeAt(0)

function codesOf(text: string): number[] {
  return Array.from(text, (character) => character.charCodeAt(0))
}

function lettersOf(bytes: readonly number[]): string {
  return bytes.map((byte) => String.fromCharCode(FIRST + (byte >> 4), FIRST + (byte & 15))).join('')
}

/** XORs the bytes with a stream that follows from the salt (xorshift, Marsaglia 2003). A second call restores them. */
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
