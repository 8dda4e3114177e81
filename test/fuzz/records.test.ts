import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { playSimulation } from '../../src/runs/play/play.ts'
import { readTraceJson } from '../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../src/trace/formats/traceJson.ts'
import { endOf, type Trace } from '../../src/trace/trace.ts'
import { anyScenario, elasticPolicies } from '../fixtures/anyScenario.ts'
import type { Chance } from '../fixtures/chance.ts'
import { everyMeasure } from './everyMeasure.ts'
import { fuzz, patience, wrongIn } from './fuzz.ts'

/** A trace file as it is written, apart from its scenario. */
interface Tree {
  readonly scenario: object
  ending: unknown
  events: Record<string, unknown[]>
  decisions: unknown[][]
  hashes: unknown[]
  failures: Record<string, unknown>[]
}

/** Good records, as text. */
const files: string[] = []

beforeAll(async () => {
  const small = { jobs: 10, stages: 4, workers: 4 }
  const kinds = [anyScenario(small), anyScenario({ ...small, graphs: true }), anyScenario({ ...small, policies: elasticPolicies })]
  for (const kind of kinds)
    for (const scenario of fc.sample(kind, { numRuns: 60, seed: 5 })) {
      const trace = await playSimulation(scenario, 0)
      if (trace.length < 20 || trace.length > 400) continue
      files.push([...writeTraceJson(trace)].join(''))
      for (const [name, value] of everyMeasure(trace, timesOf(trace, 300))) for (const found of nansIn(value, name)) usual.add(found)
    }
}, patience.timeout)

/** The beginning, so many thousandths of the run, and its end. */
function timesOf(trace: Trace, share: number): readonly number[] {
  const end = endOf(trace)
  return [0, Math.floor((end * share) / 1000), end]
}

/** Changes one field of a record: to one beside it, to one that stands elsewhere in its list, or to an odd one. */
function changeOne(tree: Tree, chance: Chance): string {
  const other = (value: unknown, list: readonly unknown[]) =>
    chance.percent(40) ? Number(value) + chance.pick([-1, 1]) : chance.percent(60) ? chance.pick(list) : chance.pick([-1, 0, 1, 9, 77, 1e6, 2 ** 31, 2 ** 52])
  const what = chance.pick(['cell', 'cell', 'cell', 'cell', 'failure', 'ending', 'decision', 'hash', 'row'])
  if (what === 'failure' && tree.failures.length > 0) {
    const failure = chance.pick(tree.failures)
    const key = chance.pick(['time', 'stage', 'worker', 'job'])
    if (chance.percent(20)) delete failure[key]
    else failure[key] = other(failure[key] ?? 0, [0, 1, 2, 3])
    return `failures: ${key}`
  }
  if (what === 'ending') {
    tree.ending = chance.pick(['drained', 'stopped', 'stuck', null])
    return `ending ${tree.ending}`
  }
  if (what === 'decision' && tree.decisions.length > 0) {
    const decision = chance.pick(tree.decisions)
    const i = chance.below(decision.length)
    decision[i] = other(decision[i], decision)
    return 'decisions'
  }
  if (what === 'hash' && tree.hashes.length > 0) {
    const i = chance.below(tree.hashes.length)
    tree.hashes[i] = other(tree.hashes[i], tree.hashes)
    return 'hashes'
  }
  const rows = tree.events.time.length
  if (what === 'row') {
    const row = chance.below(rows)
    for (const column of Object.values(tree.events)) column.splice(row, 1)
    return `without row ${row}`
  }
  const name = chance.pick(Object.keys(tree.events))
  const i = chance.below(rows)
  tree.events[name][i] = other(tree.events[name][i], tree.events[name])
  return `events.${name}[${i}] = ${tree.events[name][i]}`
}

/** What a measure keeps of the record itself. */
const own = ['trace', 'scenario', 'topology']

/** Yields where NaN stands in a value, without the numbers in the path, and sentences that tell of it. */
function* nansIn(value: unknown, path: string, seen = new Set<unknown>()): Generator<string> {
  if (typeof value === 'number' && Number.isNaN(value)) yield path.replace(/\d+/g, '#')
  if (typeof value === 'string' && /\bNaN\b|\bundefined\b/.test(value)) yield `${path}: ${value.slice(0, 200)}`
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  // Columns may have room for many more.
  if (ArrayBuffer.isView(value)) {
    if ((value instanceof Float64Array || value instanceof Float32Array) && value.subarray(0, 1000).some(Number.isNaN)) yield path.replace(/\d+/g, '#')
    return
  }
  for (const [key, each] of Object.entries(value)) if (!own.includes(key)) yield* nansIn(each, `${path}.${key}`, seen)
}

/** Where good records have NaN: it stands for what was not measured. */
const usual = new Set<string>()

function wrongWith(trace: Trace, times: readonly number[]): string | null {
  let at = ''
  try {
    for (const [name, value] of everyMeasure(trace, times)) {
      at = name
      for (const found of nansIn(value, name)) if (!usual.has(found)) return `NaN in ${found}`
    }
  } catch (error) {
    return `after ${at}: ${error instanceof Error ? error.stack : String(error)}`
  }
  return null
}

describe('a record with one field changed', patience, () => {
  test('is refused in words, or the page can show all of it', () => {
    let taken = 0
    expect(files.length).toBeGreaterThan(50)
    fuzz(0.01, (chance, k) => {
      const tree = JSON.parse(files[k % files.length]) as Tree
      const change = changeOne(tree, chance)
      const read = readTraceJson(JSON.stringify(tree))
      if ('problems' in read) return wrongIn(read.problems)
      taken++
      const wrong = wrongWith(read.trace, timesOf(read.trace, chance.below(1000)))
      return wrong && `${change}: ${wrong}`
    })
    expect(taken).toBeGreaterThan(0)
  })
})
