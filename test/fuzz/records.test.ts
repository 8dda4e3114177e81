import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { playSimulation } from '../../src/runs/play/play.ts'
import { readTraceJson } from '../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../src/trace/formats/traceJson.ts'
import { endOf, type Trace } from '../../src/trace/trace.ts'
import { anyScenario, elasticPolicies } from '../fixtures/anyScenario.ts'
import type { Chance } from '../fixtures/chance.ts'
import { inFull } from '../fixtures/extent.ts'
import { everyMeasure } from './everyMeasure.ts'
import { fuzz, patience, wrongIn } from './fuzz.ts'

type Numbers = (number | undefined)[]
interface File {
  readonly events: Readonly<Record<string, Numbers>>
  readonly decisions: readonly Numbers[]
  readonly hashes: Numbers
  readonly failures: readonly Record<string, unknown>[]
  ending: string | null
}

/** Random scenarios of each kind that are played. About a third of their records have a suitable length. */
const SAMPLED = inFull ? 200 : 60
/** Measures that are computed for each record. All records together compute each of them many times. */
const MEASURES = 2
const texts: string[] = []
/** Where sound records have NaN: for values that were not measured. */
const usual = new Set<string>()

beforeAll(async () => {
  const small = { jobs: 6, stages: 3, workers: 3 }
  const kinds = [{}, { graphs: true }, { policies: elasticPolicies }].map((more) => anyScenario({ ...small, ...more }))
  for (const scenario of kinds.flatMap((kind) => fc.sample(kind, { numRuns: SAMPLED, seed: 5 }))) {
    const trace = await playSimulation(scenario, 0)
    if (trace.length < 20 || trace.length > 100) continue
    texts.push([...writeTraceJson(trace)].join(''))
    for (const { name, value } of everyMeasure(trace, timesOf(trace, 300)))
      for (const found of nansIn(value(), name)) usual.add(found)
  }
}, patience.timeout)

/** The beginning, this many thousandths of the run, and its end. */
function timesOf(trace: Trace, share: number): readonly number[] {
  const end = endOf(trace)
  return [0, Math.floor((end * share) / 1000), end]
}

/** Changes one number of a file, its ending, or drops a row. */
function changeOne(file: File, chance: Chance): void {
  const what = chance.pick(['cell', 'cell', 'cell', 'cell', 'failure', 'ending', 'decision', 'hash', 'row'])
  const columns = Object.values(file.events)
  const row = chance.below(file.events.time.length)
  if (what === 'ending') file.ending = chance.pick(['drained', 'stopped', 'stuck', null])
  else if (what === 'row') for (const column of columns) column.splice(row, 1)
  else if (what === 'failure' && file.failures.length > 0) {
    const failure = chance.pick(file.failures)
    const key = chance.pick(['time', 'stage', 'worker', 'job'])
    failure[key] = chance.percent(20) ? undefined : other(Number(failure[key] ?? 0), [0, 1, 2, 3], chance)
  } else {
    const list =
      what === 'decision' && file.decisions.length > 0
        ? chance.pick(file.decisions)
        : what === 'hash' && file.hashes.length > 0
          ? file.hashes
          : chance.pick(columns)
    const i = chance.below(list.length)
    list[i] = other(list[i] ?? 0, list, chance)
  }
}

/** A neighbouring number, one from elsewhere in its list, or an unusual one. */
function other(value: number, list: Numbers, chance: Chance): number {
  if (chance.percent(40)) return value + chance.pick([-1, 1])
  return chance.percent(60) ? (chance.pick(list) ?? 0) : chance.pick([-1, 0, 1, 9, 77, 1e6, 2 ** 31, 2 ** 52])
}

/** Yields the places of NaN in a value, without the numbers in the path, and sentences that contain NaN. */
function* nansIn(value: unknown, path: string, seen = new Set<unknown>()): Generator<string> {
  if (typeof value === 'number' && Number.isNaN(value)) yield path.replace(/\d+/g, '#')
  if (typeof value === 'string' && /\bNaN\b|\bundefined\b/.test(value)) yield `${path}: ${value.slice(0, 200)}`
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  // Columns may have spare capacity.
  if (ArrayBuffer.isView(value)) {
    if (value instanceof Float64Array || value instanceof Float32Array)
      if (value.subarray(0, 1000).some(Number.isNaN)) yield path.replace(/\d+/g, '#')
    return
  }
  for (const [key, each] of Object.entries(value))
    if (!['trace', 'scenario', 'topology'].includes(key)) yield* nansIn(each, `${path}.${key}`, seen)
}

function wrongWith(trace: Trace, chance: Chance): string | null {
  const measures = everyMeasure(trace, timesOf(trace, chance.below(1000)))
  for (let k = 0; k < MEASURES; k++) {
    const { name, value } = chance.pick(measures)
    for (const found of nansIn(value(), name)) if (!usual.has(found)) return `NaN in ${found}`
  }
  return null
}

test('a record with one field changed is refused with a reason, or the page can show it', patience, () => {
  let taken = 0
  expect(texts.length).toBeGreaterThan(SAMPLED / 4)
  fuzz(0.3, (chance, k) => {
    const file: File = JSON.parse(texts[k % texts.length])
    changeOne(file, chance)
    const read = readTraceJson(JSON.stringify(file))
    if ('problems' in read) return wrongIn(read.problems)
    taken++
    return wrongWith(read.trace, chance)
  })
  expect(taken).toBeGreaterThan(0)
})
