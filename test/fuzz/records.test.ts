import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { playSimulation } from '../../src/runs/play/play.ts'
import { toUtf8 } from '../../src/scenario/link/bytes.ts'
import type { Scenario } from '../../src/scenario/model/scenario.ts'
import { checked } from '../../src/scenario/parse/checked.ts'
import { parse } from '../../src/scenario/parse/parse.ts'
import { checkHead, readTraceColumns, type TraceFile, type TraceHead } from '../../src/trace/formats/readColumns.ts'
import { readTraceJson, type TraceRead, traceOf } from '../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../src/trace/formats/traceJson.ts'
import { createJsonBytes, feed } from '../../src/trace/json/jsonBytes.ts'
import type { NumberColumn } from '../../src/trace/json/jsonNumbers.ts'
import { Refusal } from '../../src/trace/json/refusal.ts'
import { endOf, type Trace } from '../../src/trace/trace.ts'
import { anyScenario, elasticPolicies } from '../fixtures/anyScenario.ts'
import type { Chance } from '../fixtures/chance.ts'
import { inFull } from '../fixtures/extent.ts'
import { everyMeasure } from './everyMeasure.ts'
import { fuzz, patience, wrongIn } from './fuzz.ts'

/** A good record: as text, and read into columns, so that one field can be changed in place. */
interface Good {
  readonly text: string
  readonly file: TraceFile
  readonly scenario: Scenario
  readonly head: TraceHead
}

/** How many random scenarios of each kind are played. About a third of their records have a suitable length. */
const SAMPLED = inFull ? 200 : 60

const goods: Good[] = []

beforeAll(async () => {
  const small = { jobs: 6, stages: 3, workers: 3 }
  const kinds = [
    anyScenario(small),
    anyScenario({ ...small, graphs: true }),
    anyScenario({ ...small, policies: elasticPolicies }),
  ]
  for (const kind of kinds)
    for (const scenario of fc.sample(kind, { numRuns: SAMPLED, seed: 5 })) {
      const trace = await playSimulation(scenario, 0)
      if (trace.length < 20 || trace.length > 100) continue
      goods.push(goodOf([...writeTraceJson(trace)].join('')))
      for (const { name, value } of everyMeasure(trace, timesOf(trace, 300)))
        for (const found of nansIn(value(), name)) usual.add(found)
    }
}, patience.timeout)

function goodOf(text: string): Good {
  const json = createJsonBytes()
  feed(json, toUtf8(text))
  json.over = true
  const { value: file } = readTraceColumns(json).next()
  const read = parse(file?.found.scenario)
  if (file === undefined || 'problems' in read) throw new Error('a good record cannot be read')
  const head = checked(checkHead(read.scenario), file.found)
  if ('problems' in head) throw new Error('a good record has a bad head')
  return { text, file, scenario: read.scenario, head: head.value }
}

/** The beginning, this many thousandths of the run, and its end. */
function timesOf(trace: Trace, share: number): readonly number[] {
  const end = endOf(trace)
  return [0, Math.floor((end * share) / 1000), end]
}

/** One changed field of a record: its name, the result of reading the record now, and how to restore it. */
interface Change {
  readonly what: string
  read(): TraceRead
  undo(): void
}

/** A neighbouring number, one from elsewhere in its list, or an unusual one. */
function other(value: number, list: ArrayLike<number>, length: number, chance: Chance): number {
  if (chance.percent(40)) return value + chance.pick([-1, 1])
  return chance.percent(60) ? list[chance.below(length)] : chance.pick([-1, 0, 1, 9, 77, 1e6, 2 ** 31, 2 ** 52])
}

function changeOne(good: Good, chance: Chance): Change {
  const { file, head } = good
  const what = chance.pick(['cell', 'cell', 'cell', 'cell', 'failure', 'ending', 'decision', 'hash', 'row'])
  if (what === 'failure' && head.failures.length > 0) {
    const failures = head.failures.map((failure) => ({ ...failure }) as Record<string, unknown>)
    const failure = chance.pick(failures)
    const key = chance.pick(['time', 'stage', 'worker', 'job'])
    if (chance.percent(20)) delete failure[key]
    else failure[key] = other(Number(failure[key] ?? 0), [0, 1, 2, 3], 4, chance)
    return changedHead(`failures: ${key} ${failure[key]}`, good, { failures })
  }
  if (what === 'ending') {
    const ending = chance.pick(['drained', 'stopped', 'stuck', null])
    return changedHead(`ending ${ending}`, good, { ending })
  }
  if (what === 'row') return withoutRow(good, chance.below(file.columns.time.length))
  if (what === 'decision' && file.entries.length > 0) return changedCell(good, file.entries, chance)
  if (what === 'hash' && file.hashes.length > 0) return changedCell(good, file.hashes, chance)
  return changedCell(good, chance.pick(Object.values(file.columns)), chance)
}

function changedHead(what: string, { file, scenario }: Good, instead: object): Change {
  return { what, read: () => readBack({ ...file, found: { ...file.found, ...instead } }, scenario), undo: () => {} }
}

/** Mostly in the column; some changes go through the text, which takes ten times as long but can contain any number. */
function changedCell(good: Good, column: NumberColumn, chance: Chance): Change {
  const { name, values, length, least, most } = column
  const i = chance.below(length)
  const before = values[i]
  const any = other(before, values, length, chance)
  const inText = chance.percent(2)
  const value = inText ? any : Math.min(most, Math.max(least, any))
  const what = `${name}[${i}] = ${value}`
  if (inText) return { what, read: () => readTraceJson(textWith(good.text, column, i, value)), undo: () => {} }
  values[i] = value
  return {
    what,
    read: () => readBack(good.file, good.scenario, good.head),
    undo: () => {
      values[i] = before
    },
  }
}

function textWith(text: string, { name }: NumberColumn, i: number, value: number): string {
  const tree = JSON.parse(text)
  if (name === 'decisions') {
    let left = i
    for (const decision of tree.decisions) {
      if (left >= 0 && left < decision.length) decision[left] = value
      left -= decision.length
    }
  } else (name === 'hashes' ? tree.hashes : tree.events[name.slice('events.'.length)])[i] = value
  return JSON.stringify(tree)
}

function withoutRow({ file, scenario, head }: Good, row: number): Change {
  const columns = Object.fromEntries(
    Object.entries(file.columns).map(([name, column]) => {
      const values = column.values.slice(0, column.length)
      values.copyWithin(row, row + 1)
      return [name, { ...column, values, length: column.length - 1 }]
    }),
  )
  return { what: `without row ${row}`, read: () => readBack({ ...file, columns }, scenario, head), undo: () => {} }
}

/** Does the same as the reader after it has read the columns and the scenario. */
function readBack(file: TraceFile, scenario: Scenario, known?: TraceHead): TraceRead {
  try {
    if (known !== undefined) return { trace: traceOf(file, known, scenario, () => {}) }
    const head = checked(checkHead(scenario), file.found)
    return 'problems' in head ? head : { trace: traceOf(file, head.value, scenario, () => {}) }
  } catch (error) {
    if (error instanceof Refusal) return { problems: [{ path: error.path, message: error.message }] }
    throw error
  }
}

/** Records for each input of the other fuzz tests: 10,000 of them when all tests run. */
const RECORDS = 1 / 2
/** How many of all measures are computed per record. All records together compute each of them hundreds of times. */
const MEASURES = 2

/** The part of the record that a measure keeps. */
const own = ['trace', 'scenario', 'topology']

/** Yields the places of NaN in a value, without the numbers in the path, and sentences that contain NaN. */
function* nansIn(value: unknown, path: string, seen = new Set<unknown>()): Generator<string> {
  if (typeof value === 'number' && Number.isNaN(value)) yield path.replace(/\d+/g, '#')
  if (typeof value === 'string' && /\bNaN\b|\bundefined\b/.test(value)) yield `${path}: ${value.slice(0, 200)}`
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  // Columns may have spare capacity.
  if (ArrayBuffer.isView(value)) {
    if ((value instanceof Float64Array || value instanceof Float32Array) && value.subarray(0, 1000).some(Number.isNaN))
      yield path.replace(/\d+/g, '#')
    return
  }
  for (const [key, each] of Object.entries(value)) if (!own.includes(key)) yield* nansIn(each, `${path}.${key}`, seen)
}

/** Where good records have NaN: for values that were not measured. */
const usual = new Set<string>()

function wrongWith(trace: Trace, times: readonly number[], chance: Chance): string | null {
  let at = 'the trace'
  try {
    const measures = everyMeasure(trace, times)
    for (let k = 0; k < MEASURES; k++) {
      const { name, value } = chance.pick(measures)
      at = name
      for (const found of nansIn(value(), name)) if (!usual.has(found)) return `NaN in ${found}`
    }
  } catch (error) {
    return `${at}: ${error instanceof Error ? error.stack : String(error)}`
  }
  return null
}

describe('a record with one field changed', patience, () => {
  test('is refused with a reason, or the page can show it', () => {
    let taken = 0
    expect(goods.length).toBeGreaterThan(SAMPLED / 4)
    fuzz(RECORDS, (chance, k) => {
      const { what, read, undo } = changeOne(goods[k % goods.length], chance)
      try {
        const outcome = read()
        if ('problems' in outcome) return wrongIn(outcome.problems)
        taken++
        const wrong = wrongWith(outcome.trace, timesOf(outcome.trace, chance.below(1000)), chance)
        return wrong && `${what}: ${wrong}`
      } finally {
        undo()
      }
    })
    expect(taken).toBeGreaterThan(0)
  })
})
