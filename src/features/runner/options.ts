import { MAX_BATCH, MAX_JOBS, MAX_REAL_WORKERS, MAX_TRIES } from '../../scenario/model/limits.ts'
import { policies } from '../../scenario/model/policies.ts'
import { countText, foundText, listed, nearestFirst, quoted } from '../../scenario/model/words.ts'
import { policyNames } from './policyChoice.ts'
import type { PipelineOptions, RunOptions, StageOptions } from './settings.ts'

// What each option may be. The shape of links, of an estimator and of a policy's parameters is checked with the scenario, by `parse`.

/** Throws TypeError with the path unless the value is allowed. */
type Check = (path: string, value: unknown) => void
type Checks<T> = { readonly [K in keyof T]-?: Check }

const MAX_TIMER = 2_147_483_647

const any: Check = () => {}
const text = allow((value) => typeof value === 'string', 'a text')
const batchChecks: Checks<NonNullable<PipelineOptions['batch']>> = {
  size: whole(1, MAX_BATCH),
  adaptive: oneOf(true),
  inHand: oneOf(1, 2),
}
const recordChecks: Checks<{ rows: number }> = { rows: whole(1, MAX_JOBS) }

const stageChecks: Checks<StageOptions> = {
  id: any,
  call: text,
  name: any,
  capacity: any,
  tries: whole(1, MAX_TRIES),
  timeout: allow((value) => typeof value === 'number' && value > 0, 'milliseconds above 0'),
  limit: whole(1, MAX_REAL_WORKERS),
  threads: whole(1, MAX_TRIES),
  setUp: text,
  discipline: oneOf('fifo', 'lifo'),
  fanOut: any,
  join: any,
}

const stage = bag(
  stageChecks,
  "the name of a function that the threads serve, or an object such as { id: 'parse', tries: 2 }",
)

const pipelineChecks: Checks<PipelineOptions> = {
  worker: allow(
    (value) => typeof value === 'function',
    "a function that starts a thread: () => new Worker(new URL('./stages.js', import.meta.url))",
  ),
  stages(path, value) {
    if (!Array.isArray(value)) refuse(path, value, "a list of stages, such as ['parse', { id: 'text', tries: 2 }]")
    for (const [k, each] of value.entries()) if (typeof each !== 'string') stage(`${path}[${k}]`, each)
  },
  links: allow(Array.isArray, "a list of pairs, such as [['source', 'parse'], ['parse', 'sink']]"),
  workers: whole(1, MAX_REAL_WORKERS),
  policy,
  estimator: any,
  batch: bag(batchChecks, 'an object such as { size: 20 }'),
  order: oneOf('input', 'any'),
  highWaterMark: whole(1, Number.MAX_SAFE_INTEGER),
  onError: oneOf('stop', 'skip'),
  record(path, value) {
    if (typeof value !== 'boolean')
      bag(recordChecks, 'true, false or an object such as { rows: 100000 }', ['rows'])(path, value)
  },
  tracer: allow((value) => hasMethod(value, 'startSpan'), 'a tracer of OpenTelemetry'),
  idle: allow(
    (value) => typeof value === 'number' && value >= 0 && value <= MAX_TIMER,
    `milliseconds from 0 to ${countText(MAX_TIMER)}`,
  ),
  title: any,
}

const runChecks: Checks<RunOptions> = { signal: allow((value) => hasMethod(value, 'throwIfAborted'), 'an AbortSignal') }

const homes: readonly (readonly [name: string, checks: object])[] = [
  ["a stage, such as { id: 'parse', tries: 2 }", stageChecks],
  ['createPipeline', pipelineChecks],
  ['`batch`', batchChecks],
]

/** Throws TypeError at the first option that does not exist or has a wrong type. */
export function requireOptions(options: unknown): asserts options is PipelineOptions {
  bag(pipelineChecks, "an object such as { worker: () => new Worker(...), stages: ['parse', 'text'] }", [
    'worker',
    'stages',
  ])('createPipeline', options)
}

/** Throws TypeError if these are no options of a run. */
export const requireRunOptions = bag(runChecks, 'an object such as { signal }')

/** Throws TypeError unless an option of the pipeline may have this value. */
export function requireOption(name: keyof PipelineOptions, value: unknown): void {
  pipelineChecks[name](name, value)
}

function policy(path: string, value: unknown): void {
  if (typeof value === 'function') return
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : value
  if (typeof kind !== 'string')
    refuse(path, value, 'the name of a policy, an object with its `kind`, or a function that returns the seats')
  if (!Object.hasOwn(policies, kind))
    throw new TypeError(`${path}: there is no policy ${quoted(kind)}${hint(kind, policyNames)}`)
  if (kind === 'code') refuse(path, value, 'the function itself, which returns the seats of each stage')
}

function allow(accepts: (value: unknown) => boolean, allowed: string): Check {
  return (path, value) => {
    if (!accepts(value)) refuse(path, value, allowed)
  }
}

function whole(least: number, most: number): Check {
  return allow(
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
    `a whole number from ${least} to ${countText(most)}`,
  )
}

function oneOf(...values: readonly (string | number | boolean)[]): Check {
  return allow(
    (value) => values.some((each) => each === value),
    listed(
      values.map((value) => (typeof value === 'string' ? quoted(value) : String(value))),
      'or',
    ),
  )
}

/** Checks an object by its keys. Those in `required` must be there. The name of a function is no part of the paths inside. */
function bag<T>(checks: Checks<T>, allowed: string, required: readonly (keyof T)[] = []): Check {
  const names = Object.keys(checks) as (keyof T & string)[]
  return (path, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(path, value, allowed)
    // Inherited ones too: an AbortSignal is no options.
    for (const name in value)
      if (!Object.hasOwn(checks, name) && !(name in Object.prototype))
        throw new TypeError(`${path}: there is no option ${quoted(name)}${hint(name, names)}`)
    const given = value as Readonly<Record<string, unknown>>
    const inside = path === 'createPipeline' || path === 'run' ? '' : `${path}.`
    for (const name of names)
      if (given[name] !== undefined || required.includes(name)) checks[name](`${inside}${name}`, given[name])
  }
}

/** Returns where the name belongs, the nearest of the names, or all of them if none is near. */
function hint(name: string, names: readonly string[]): string {
  const home = homes.find(([, checks]) => Object.hasOwn(checks, name))
  if (home !== undefined) return `; it is an option of ${home[0]}.`
  const [nearest] = nearestFirst(name, names)
  return nearest.edits <= Math.max(name.length, nearest.word.length) / 2
    ? `; did you mean ${quoted(nearest.word)}?`
    : `; allowed: ${listed(names, 'or')}.`
}

function refuse(path: string, value: unknown, allowed: string): never {
  throw new TypeError(`${path}: ${foundText(value, allowed)}.`)
}

/** Returns whether this is an object with a method of this name. */
export function hasMethod<K extends PropertyKey>(value: unknown, name: K): value is Record<K, () => unknown> {
  return typeof value === 'object' && value !== null && typeof (value as Record<K, unknown>)[name] === 'function'
}
