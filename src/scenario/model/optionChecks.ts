import { countText, foundText, listed, nearestFirst, quoted } from './words.ts'

// Checks of what a program passes to the functions of the package. Each throws a TypeError of one sentence: where, what was found, what is allowed.

/** Throws TypeError unless the value is allowed at this path. */
export type Check = (path: string, value: unknown) => void
export type Checks<T> = { readonly [K in keyof T]-?: Check }

export const text = allow((value) => typeof value === 'string', 'a text')

export function allow(accepts: (value: unknown) => boolean, allowed: string): Check {
  return (path, value) => {
    if (!accepts(value)) refuse(path, value, allowed)
  }
}

export function whole(min: number, max: number): Check {
  return allow(
    (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
    `a whole number from ${min} to ${countText(max)}`,
  )
}

export function oneOf(...values: readonly (string | number | boolean)[]): Check {
  const words = values.map((value) => (typeof value === 'string' ? quoted(value) : String(value)))
  return allow((value) => values.some((each) => each === value), listed(words, 'or'))
}

/** Checks an object of options, and refuses unknown ones. `call`: the function whose argument it is. `ownerOf` returns where an option belongs. */
export function bag<T>(
  checks: Checks<T>,
  allowed: string,
  {
    call = '',
    required = [],
    ownerOf = () => null,
  }: {
    readonly call?: string
    readonly required?: readonly (keyof T)[]
    readonly ownerOf?: (name: string) => string | null
  } = {},
): Check {
  const names = Object.keys(checks) as (keyof T & string)[]
  return (path, value) => {
    const place = path === '' ? call : path
    if (!isObject(value)) refuse(place, value, allowed)
    // Inherited ones too: an AbortSignal is no options.
    for (const name in value) {
      if (Object.hasOwn(checks, name) || name in Object.prototype) continue
      const owner = ownerOf(name)
      const words = owner === null ? hint(name, names) : `; it is an option of ${owner}.`
      throw new TypeError(`${place}: there is no option ${quoted(name)}${words}`)
    }
    for (const name of names)
      if (value[name] !== undefined || required.includes(name))
        checks[name](path === '' ? name : `${path}.${name}`, value[name])
  }
}

/** Returns the nearest of the names, or all of them if none is near. It ends a sentence. */
export function hint(name: string, names: readonly string[]): string {
  const [nearest] = nearestFirst(name, names)
  return nearest.edits <= Math.max(name.length, nearest.word.length) / 2
    ? `; did you mean ${quoted(nearest.word)}?`
    : `; allowed: ${listed(names, 'or')}.`
}

export function refuse(path: string, value: unknown, allowed: string): never {
  throw new TypeError(`${path}: ${foundText(value, allowed)}.`)
}

/** Returns whether this is an object, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns whether this is an object with a method of this name. */
export function hasMethod<K extends PropertyKey>(value: unknown, name: K): value is Record<K, () => unknown> {
  return typeof value === 'object' && value !== null && typeof (value as Record<K, unknown>)[name] === 'function'
}
