import { MAX_BATCH, MAX_JOBS, MAX_REAL_WORKERS, MAX_TRIES } from '../../scenario/model/limits.ts'
import {
  allow,
  bag,
  type Check,
  type Checks,
  hasMethod,
  hint,
  isObject,
  oneOf,
  refuse,
  text,
  whole,
} from '../../scenario/model/optionChecks.ts'
import { policies } from '../../scenario/model/policies.ts'
import { countText, quoted } from '../../scenario/model/words.ts'
import { policyNames } from './policyChoice.ts'
import type { PipelineOptions, RunOptions, StageOptions } from './settings.ts'

// What each option may be. The shape of links, of an estimator and of a policy's parameters is checked with the scenario, by `parse`.

/** Milliseconds that a timer can last. */
export const MAX_TIMER = 2_147_483_647

const any: Check = () => {}
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
  { ownerOf },
)

export const pipelineChecks: Checks<PipelineOptions> = {
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
      bag(recordChecks, 'true, false or an object such as { rows: 100000 }', { required: ['rows'] })(path, value)
  },
  tracer: allow((value) => hasMethod(value, 'startSpan'), 'a tracer of OpenTelemetry'),
  idle: allow(
    (value) => typeof value === 'number' && value >= 0 && value <= MAX_TIMER,
    `milliseconds from 0 to ${countText(MAX_TIMER)}`,
  ),
  title: any,
}

const runChecks: Checks<RunOptions> = {
  signal: allow((value) => hasMethod(value, 'addEventListener') && 'aborted' in value, 'an AbortSignal'),
}

export const checkOptions = bag(
  pipelineChecks,
  "an object such as { worker: () => new Worker(...), stages: ['parse', 'text'] }",
  { call: 'createPipeline', required: ['worker', 'stages'], ownerOf },
)

export const checkRunOptions = bag(runChecks, 'an object such as { signal }', { call: 'run' })

function policy(path: string, value: unknown): void {
  if (typeof value === 'function') return
  const kind = isObject(value) ? value.kind : value
  if (typeof kind !== 'string')
    refuse(path, value, 'the name of a policy, an object with its `kind`, or a function that returns the seats')
  if (!Object.hasOwn(policies, kind))
    throw new TypeError(`${path}: there is no policy ${quoted(kind)}${hint(kind, policyNames)}`)
  if (kind === 'code') refuse(path, value, 'the function itself, which returns the seats of each stage')
}

/** Returns where an option belongs that stands in another place. */
function ownerOf(name: string): string | null {
  if (Object.hasOwn(stageChecks, name)) return "a stage, such as { id: 'parse', tries: 2 }"
  if (Object.hasOwn(batchChecks, name)) return '`batch`'
  return Object.hasOwn(pipelineChecks, name) ? 'createPipeline' : null
}
