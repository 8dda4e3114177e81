import { afterEach, describe, expect, test } from 'vitest'
import { keepRun } from '../../../src/features/library/records/keepRun.ts'
import { openShelf, type RunPart, type Shelf } from '../../../src/features/library/records/shelf.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import { beginning, journalBetween } from '../../../src/trace/journalBetween.ts'
import { append, createTrace, type Trace } from '../../../src/trace/trace.ts'
import { digestOf } from '../../trace/digestOf.ts'

const parsed = parse({
  version: 1,
  title: 'Long',
  source: { kind: 'poisson', rate: 1500, jobs: 3000 },
  stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'exponential', mean: 1000 } })),
  workers: 4,
})
if ('problems' in parsed) throw new Error('no scenario')
const whole = await playSimulation(parsed.scenario, 7)

let n = 0
const open: Shelf[] = []
function shelf(name = `unfinished-test-${Date.now()}-${n++}`): Shelf {
  const made = openShelf(name)
  open.push(made)
  return made
}
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

/** The first half of the run, and a function that adds the second half. */
function half(): { trace: Trace; rest: () => void } {
  const trace = createTrace(whole.scenario, 'threads', 7)
  const all = journalBetween(whole, beginning)
  const rows = Math.floor(whole.length / 2)
  const decisions = all.decisions.row.findIndex((row, d) => row >= rows || d === all.decisions.length)
  const cut = { ...whole, length: rows, decisions: { ...whole.decisions, length: decisions } }
  append(trace, journalBetween(cut, beginning))
  return { trace, rest: () => append(trace, journalBetween(whole, { rows, decisions })) }
}

/** The trace that the page opens, as text of a file. */
async function opened(from: Shelf, id: string): Promise<Trace> {
  const kept = await from.read(id)
  if (kept === null) throw new Error('nothing is kept')
  const read = readTraceJson([...writeTraceJson(kept)].join(''))
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.trace
}

/** The same shelf for a page, with a log of the parts that are put on it. */
function spied(real: Shelf): { shelf: Shelf; parts: RunPart[] } {
  const parts: RunPart[] = []
  const put = (part: RunPart) => {
    parts.push(part)
    return real.put(part)
  }
  return { parts, shelf: { ...real, put } }
}

describe('a run under way', () => {
  test('is stored in parts of new rows, and is restored row by row and decision by decision', async () => {
    const { trace, rest } = half()
    const { shelf: kept, parts } = spied(shelf())
    const keeper = keepRun(trace, kept)
    trace.failures.push({ time: 5, kind: 'worker', worker: 1, reason: 'crashed' })
    await keeper.write()
    rest()
    trace.failures.push({ time: 9, kind: 'worker', worker: 2, reason: 'crashed' })
    await keeper.write()
    await keeper.write()
    expect(parts.map(({ part, head, rows, failures }) => [part, head !== null, rows.length, failures.length])).toEqual([
      [0, true, Math.floor(whole.length / 2), 1],
      [1, false, Math.ceil(whole.length / 2), 1],
    ])
    const back = await opened(kept, parts[0].id)
    expect(digestOf(back)).toBe(digestOf(whole))
    expect(back).toMatchObject({ scenario: whole.scenario, engine: 'threads', startedAt: 7, ending: null })
    expect(back.failures.map(({ worker }) => worker)).toEqual([1, 2])
  })

  test('is written some time after new rows, or with the next rows if the page’s timers are late', async () => {
    const { trace, rest } = half()
    const { shelf: kept, parts } = spied(shelf())
    const quick = keepRun(trace, kept, { every: 20 })
    quick.rowsAdded()
    expect(parts).toEqual([])
    await expect.poll(() => parts.length).toBe(1)

    let now = 0
    const asleep = keepRun(half().trace, kept, { now: () => now, every: 1_000_000 })
    asleep.rowsAdded()
    now = 1_500_000
    asleep.rowsAdded()
    await Promise.resolve()
    expect(parts).toHaveLength(1)
    now = 2_000_001
    asleep.rowsAdded()
    await expect.poll(() => parts.length).toBe(2)
    rest()
    quick.rowsAdded()
    await expect.poll(() => parts.length).toBe(3)
  })

  test('is deleted when it has ended, and after the last run nothing is stored', async () => {
    const keepsRun: boolean[] = []
    const place = shelf()
    const { shelf: kept, parts } = spied(place)
    const { trace } = half()
    const keeper = keepRun(trace, kept, { tell: (is) => keepsRun.push(is) })
    await keeper.write()
    expect(keepsRun).toEqual([true])
    trace.ending = 'drained'
    void keeper.write()
    keeper.rowsAdded()
    keeper.rowsAdded()
    await expect.poll(() => keepsRun.at(-1)).toBe(false)
    expect(await place.read(parts[0].id)).toBeNull()
    await keeper.write()
    expect(await place.leftovers()).toEqual([])
  })

  test('is offered when no page plays it any more, the newest first', async () => {
    const place = shelf()
    const { shelf: kept, parts } = spied(place)
    const other = { ...kept, hold: () => () => {} }
    await keepRun(half().trace, kept).write()
    await keepRun(half().trace, other).write()
    const later = createTrace(whole.scenario, 'threads', 8)
    append(later, journalBetween(whole, beginning))
    await keepRun(later, other).write()
    const left = await place.leftovers()
    expect(left.map(({ id, title, startedAt }) => [id, title, startedAt])).toEqual([
      [parts[2].id, 'Long', 8],
      [parts[1].id, 'Long', 7],
    ])
    expect(left[0].time).toBe(parts[2].time)
    expect(await place.forget(parts[2].id)).toBe(true)
    expect(await place.leftovers()).toHaveLength(1)
  })

  test('continues if the browser cannot store anything, and explains why a record of another version cannot be opened', async () => {
    const place = shelf()
    const refusing = { ...place, put: () => Promise.reject(new DOMException('full', 'QuotaExceededError')) }
    const keeper = keepRun(half().trace, refusing)
    await keeper.write()
    keeper.rowsAdded()
    await keeper.write()

    await place.put({ ...journalBetween(whole, beginning), id: 'odd', part: 0, head: null, time: 1, failures: [] })
    expect(await place.leftovers()).toEqual([{ id: 'odd', title: '', startedAt: 0, time: 1 }])
    await expect(place.read('odd')).rejects.toThrow('it was kept by another version of Apportion')
  })
})
