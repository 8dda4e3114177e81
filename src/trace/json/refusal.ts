import { t } from '../../language/translate.ts'
/** Thrown by readers of files: where a file is wrong, and what is wrong. It becomes a Problem. */
export class Refusal extends Error {
  readonly path: string
  constructor(path: string, message: string) {
    super(message)
    this.path = path
  }
}

/** Returns a value as a problem names it. */
export function shownValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value)
  return typeof value === 'object' && value !== null ? (Array.isArray(value) ? t('a list') : t('an object')) : String(value)
}

/** Returns the value. Throws a Refusal unless it is a whole number within bounds. */
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

/** Returns the value. Throws a Refusal unless it is one of these words. */
export function requireOneOf<T extends string>(value: unknown, allowed: readonly T[], path: string): T {
  if (!allowed.includes(value as T)) throw new Refusal(path, t('found {value}; allowed: {allowed}', { value: shownValue(value), allowed: allowed.join(', ') }))
  return value as T
}

/** Returns the value. Throws a Refusal unless it is an object and no list. */
export function requireRecord(value: unknown, path: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal(path, t('found {value}; allowed: an object', { value: shownValue(value) }))
  return value as Record<string, unknown>
}

/** Returns the value. Throws a Refusal unless it is a list. */
export function requireList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Refusal(path, t('found {value}; allowed: a list', { value: shownValue(value) }))
  return value
}
