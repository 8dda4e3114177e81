import { beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { CLOCK_END, MAX_JOBS } from '../../../src/scenario/model/limits.ts'
import { createTraceReader, readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { workedExample } from '../../measures/scenarios.ts'

const textOf = (trace: Trace) => [...writeTraceJson(trace)].join('')
const bytesOf = (text: string) => new TextEncoder().encode(text)

/** The problem of a text as `path: message`; null if it has none. */
function problemIn(text: string): string | null {
  const read = readTraceJson(text)
  return 'problems' in read ? read.problems.map(({ path, message }) => `${path}: ${message}`).join('; ') : null
}

type File = Record<string, unknown> & { events: Record<string, number[]>; kinds: string[]; failures: object[] }
let good = ''
const file = (): File => JSON.parse(good)
const changed = (change: (tree: File) => void) => {
  const tree = file()
  change(tree)
  return problemIn(JSON.stringify(tree))
}

beforeAll(async () => {
  good = textOf(await playSimulation(workedExample, 7))
})

describe('a trace file', () => {
  test('has each key and each column once', () => {
    for (const key of Object.keys(file())) {
      expect(changed((tree) => delete tree[key])).toBe(`${key}: is missing`)
      expect(problemIn(good.replace('{', `{${JSON.stringify(key)}:${JSON.stringify(file()[key])},`))).toBe(
        `${key}: "${key}" is listed twice`,
      )
    }
    for (const name of Object.keys(file().events)) {
      expect(changed((tree) => delete tree.events[name])).toBe(`events.${name}: is missing`)
      expect(problemIn(good.replace('"events":{', `"events":{"${name}":${JSON.stringify(file().events[name])},`))).toBe(
        `events.${name}: "${name}" is listed twice`,
      )
      expect(changed((tree) => tree.events[name].pop())).toContain(
        name === 'time'
          ? 'events.kind: found a list of 19; allowed: a list of 18'
          : `events.${name}: found a list of 18; allowed: a list of 19`,
      )
    }
    const long = 'a'.repeat(50)
    expect(changed((tree) => Object.assign(tree.events, { [long]: [] }))).toBe(
      `events.${'a'.repeat(40)}: found "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..."; allowed: time, kind, stage, worker, job, began or ended`,
    )
    expect(changed((tree) => Object.assign(tree, { [long]: [] }))).toContain(`${'a'.repeat(40)}: is not a part`)
    expect(changed((tree) => Object.assign(tree, { traceEvents: [] }))).toContain(
      'traceEvents: is not a part of a trace',
    )
  })

  test('of another program is refused with a reason', () => {
    const download = 'allowed: a file of Download trace'
    expect(problemIn('{"traceEvents":[]}')).toBe(`traceEvents: is not a part of a trace; ${download}`)
    expect(problemIn('{"displayTimeUnit":"ms"}')).toBe(`displayTimeUnit: is not a part of a trace; ${download}`)
    expect(problemIn('{"name":1}')).toBe(`name: is not a part of a trace; ${download}`)
    expect(problemIn('{"scenario":5,"name":1}')).toBe(`name: is not a part of a trace; ${download}`)
    expect(problemIn('{"format":"x","name":1}')).toBe('format: found "x"; allowed: apportion-trace')
    expect(problemIn('[1]')).toBe(': found a list of 1; allowed: an object')
    expect(changed((tree) => Object.assign(tree, { events: [] }))).toBe(
      'events: found an empty list; allowed: an object',
    )
    expect(changed((tree) => Object.assign(tree, { decisions: {} }))).toBe(
      'decisions: found an object; allowed: a list',
    )
    expect(changed((tree) => Object.assign(tree, { hashes: 5 }))).toBe('hashes: found 5; allowed: a list')
    expect(changed((tree) => Object.assign(tree, { scenario: 5 }))).toMatch(/^scenario: found 5; allowed: /)
  })

  test('of a newer version is recognised by its version, whatever follows', () => {
    expect(problemIn('{"format":"apportion-trace","version":2,"colours":')).toMatch(/^version: .*newer version/)
    expect(problemIn('{"format":"apportion","colours":')).toBe('format: found "apportion"; allowed: apportion-trace')
  })

  test('names a column and the row where a number is out of bounds', () => {
    const bounds = {
      time: CLOCK_END,
      kind: 0x7fff,
      stage: 0x7fff,
      worker: 0x7fff,
      job: MAX_JOBS - 1,
      began: CLOCK_END,
      ended: CLOCK_END,
    }
    for (const [name, most] of Object.entries(bounds)) {
      const least = name === 'time' ? -CLOCK_END : -1
      const problem = (value: number) => changed((tree) => tree.events[name].splice(3, 1, value)) ?? ''
      const allowed = `allowed: a whole number from ${least} to ${most}`
      for (const odd of [least - 1, most + 1])
        expect(problem(odd).replaceAll(',', '')).toBe(`events.${name}[3]: found ${odd}; ${allowed}`)
      // Those within are refused only because of other columns.
      for (const edge of [least, most]) expect(problem(edge).replaceAll(',', '')).not.toContain(allowed)
    }
    const hashes = (hash: number) => changed((tree) => (tree.hashes as number[]).splice(1, 1, hash))
    expect([hashes(0), hashes(0xffffffff)]).toEqual([null, null])
    expect([hashes(-1), hashes(2 ** 32)]).toEqual([
      expect.stringMatching(/^hashes\[1\]: found -1/),
      expect.stringMatching(/^hashes\[1\]: found 4294967296/),
    ])
    expect(changed((tree) => (tree.decisions as number[][])[1].splice(0, 1, -1))).toMatch(
      /^decisions\[1\]\[0\]: found -1/,
    )
  })
})

describe('the bytes of a trace', () => {
  test('are no longer requested after an error', () => {
    const reader = createTraceReader()
    expect(reader.push(bytesOf('{"format":'))).toBe(true)
    expect(reader.push(bytesOf('"x",'))).toBe(false)
    expect(reader.push(bytesOf('"version":9'))).toBe(false)
    expect(reader.end()).toEqual({ problems: [{ path: 'format', message: 'found "x"; allowed: apportion-trace' }] })
  })
})

describe('a row', () => {
  test('that announces a second batch has the jobs of that batch directly after it', async () => {
    const twoEach = scenarioWith({
      source: { kind: 'batch', jobs: 6 },
      stages: [{ id: 'A' }],
      workers: 2,
      batch: { size: 1, inHand: 2 },
    })
    const tree: File = JSON.parse(textOf(await playSimulation(twoEach, 0)))
    const second = tree.events.kind.indexOf(kinds.indexOf('second'))
    const worker = tree.events.worker[second]
    const problem = (change: (column: number[]) => unknown) => {
      const events = structuredClone(tree.events)
      for (const column of Object.values(events)) change(column)
      return problemIn(JSON.stringify({ ...tree, ending: null, decisions: [], hashes: [], events }))
    }
    expect(problem((column) => column.splice(second + 2))).toBeNull()
    expect(problem((column) => column.splice(second + 1))).toBe(
      `events.kind[${second + 1}]: found nothing; allowed: started`,
    )
    expect(problem((column) => column.splice(second + 1, 0, column[second]))).toBe(
      `events.kind[${second + 1}]: found "second"; allowed: started`,
    )
    tree.events.worker[second + 1] = 1 - worker
    expect(problemIn(JSON.stringify(tree))).toBe(
      `events.worker[${second + 1}]: found ${1 - worker}; allowed: ${worker}`,
    )
  })
})
