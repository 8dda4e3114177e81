import { beforeAll, describe, expect, test } from 'vitest'
import { createSimulation } from '../../src/engine/simulation/simulation.ts'
import { countRow } from '../../src/pipeline/countRow.ts'
import { type Counts, createCounts } from '../../src/pipeline/counts.ts'
import { createDecisions, type Journal, pushDecision, pushSeats, sliceJournal } from '../../src/pipeline/journal.ts'
import { copyRows, createRows, type Rows } from '../../src/pipeline/rows.ts'
import { topologyOf } from '../../src/pipeline/topology.ts'
import {
  append,
  catchUp,
  createTrace,
  eachRow,
  stateAt,
  stateBefore,
  type Trace,
  timeOf,
} from '../../src/trace/trace.ts'
import { type Chance, createChance } from '../fixtures/chance.ts'
import { scenarioWith } from '../fixtures/scenarios.ts'
import { digestOf } from './digestOf.ts'

/** Long enough for several chunks of 65,536 rows and many checkpoints. */
const scenario = scenarioWith({
  source: { kind: 'poisson', rate: 1500, jobs: 30_000 },
  stages: ['A', 'B'].map((id) => ({ id, service: { kind: 'exponential', mean: 1000 } })),
  workers: 4,
  workerEvents: [{ at: 5_000_000, kind: 'crash', worker: 1 }],
})

let whole: Journal
let trace: Trace

beforeAll(async () => {
  const pieces: Journal[] = []
  const listener = {
    journal: (journal: Journal) => void pieces.push(sliceJournal(journal)),
    failure: () => {},
    ended: () => {},
  }
  await createSimulation().start(scenario, listener)
  whole = joined(pieces)
  trace = createTrace(scenario, 'simulation', 0)
  append(trace, whole)
})

function joined(pieces: readonly Journal[]): Journal {
  const rows = createRows(pieces.reduce((sum, piece) => sum + piece.rows.length, 0))
  const decisions = createDecisions()
  for (const piece of pieces) {
    const before = rows.length
    copyRows(piece.rows, 0, piece.rows.length, rows)
    copyDecisions(piece, 0, piece.decisions.length, before, decisions)
  }
  return { rows, decisions }
}

/** Decisions [from, to) of a journal, with their rows moved by `by`, appended to `target`. */
function copyDecisions(
  { decisions }: Journal,
  from: number,
  to: number,
  by: number,
  target: Journal['decisions'],
): void {
  for (let d = from; d < to; d++) {
    pushDecision(target, decisions.row[d] + by, decisions.hash[d])
    for (let c = d === 0 ? 0 : decisions.ends[d - 1]; c < decisions.ends[d]; c++)
      pushSeats(target, decisions.stage[c], decisions.seats[c])
  }
}

/** A trace of the same run, appended in pieces of random sizes, some of them empty. */
function inPieces(chance: Chance, between: (trace: Trace) => void = () => {}): Trace {
  const pieced = createTrace(scenario, 'simulation', 0)
  let row = 0
  let decision = 0
  while (row < whole.rows.length) {
    const end = Math.min(whole.rows.length, row + chance.pick([0, 1, 5, 1000, 16_384, 70_000]))
    const piece: Journal = { rows: createRows(end - row), decisions: createDecisions() }
    copyRows(whole.rows, row, end, piece.rows)
    // A decision before the first row of the next piece belongs to this piece.
    let next = decision
    while (next < whole.decisions.length && whole.decisions.row[next] <= end) next++
    copyDecisions(whole, decision, next, -row, piece.decisions)
    append(pieced, piece)
    between(pieced)
    row = end
    decision = next
  }
  return pieced
}

function plain(counts: Counts): string {
  return JSON.stringify(counts, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value))
}

describe('a trace', () => {
  test('is the same in one piece or in many, with or without reads in between', () => {
    for (let seed = 0; seed < 3; seed++) {
      const chance = createChance(seed)
      const pieced = inPieces(chance, (growing) => {
        if (chance.percent(30)) catchUp(growing, chance.below(40_000))
        if (chance.percent(30)) stateAt(growing, chance.below(10_000_000))
      })
      expect(pieced.length).toBe(trace.length)
      expect(digestOf(pieced)).toBe(digestOf(trace))
      for (let k = 0; k < 20; k++) {
        const row = chance.below(trace.length + 1)
        expect(stateBefore(pieced, row)).toEqual(stateBefore(trace, row))
      }
    }
  })

  test('returns the same state at any row and time as a fold from the beginning', () => {
    const chance = createChance(2)
    const rows = new Set([
      0,
      1,
      16_383,
      16_384,
      16_385,
      65_535,
      65_536,
      65_537,
      trace.length - 1,
      trace.length,
      ...Array.from({ length: 60 }, () => chance.below(trace.length)),
    ])
    const counts = createCounts(scenario)
    const seats = new Uint16Array(2)
    const { decisions } = trace
    const topology = topologyOf(scenario)
    let decision = 0
    const decideUpTo = (row: number) => {
      while (decision < decisions.length && decisions.row[decision] <= row) {
        const d = decision++
        for (let c = d === 0 ? 0 : decisions.ends[d - 1]; c < decisions.ends[d]; c++)
          seats[decisions.stage[c]] = decisions.seats[c]
      }
    }
    const look = (row: number) => {
      if (!rows.has(row)) return
      decideUpTo(row - 1)
      const before = stateBefore(trace, row)
      expect(plain(before.counts)).toBe(plain(counts))
      expect([...before.seats]).toEqual([...seats])
      if (row === 0 || (row < trace.length && timeOf(trace, row) === timeOf(trace, row - 1))) return
      decideUpTo(row)
      const at = stateAt(trace, timeOf(trace, row - 1))
      expect(plain(at.counts)).toBe(plain(counts))
      expect([at.decisions, ...at.seats]).toEqual([decision, ...seats])
    }
    eachRow(trace, 0, trace.length, (columns: Rows, i, row) => {
      look(row)
      countRow(topology, counts, columns, i)
    })
    look(trace.length)
  })
})
