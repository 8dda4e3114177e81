import { t } from '../../language/translate.ts'
/** Why a file is refused: what, where. Thrown by its readers, to be handed out as a problem. */
export class Refusal extends Error {
  readonly path: string
  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

/** A value as it is named in a problem. */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value)
  return typeof value === 'object' && value !== null ? (Array.isArray(value) ? t('a list') : t('an object')) : String(value)
}

/** A whole number within bounds; anything else is refused. */
export function requireWhole(value: unknown, least: number, most: number, path: string): number {
  if (typeof value === 'number' && value >= least && value <= most && Math.floor(value) === value) return value
  throw new Refusal(
    path,
    t('found {value}; allowed: {allowed}', {
      value: shownValue(value),
      allowed: least === most ? least : t('a whole number from {least} to {most}', { least, most }),
    }),
  )
}

/** One of a few words; anything else is refused. */
export function requireOneOf<T extends string>(value: unknown, allowed: readonly T[], path: string): T {
  if (!allowed.includes(value as T)) throw new Refusal(path, t('found {value}; allowed: {allowed}', { value: shownValue(value), allowed: allowed.join(', ') }))
  return value as T
}

/** An object that is no list; anything else is refused. */
export function requireRecord(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal(path, t('found {value}; allowed: an object', { value: shownValue(value) }))
  return value as Record<string, unknown>
}

/** A list; anything else is refused. */
export function requireList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Refusal(path, t('found {value}; allowed: a list', { value: shownValue(value) }))
  return value
}
