import { describe, expect, test } from 'vitest'
import {
  createReplayer,
  createReplaying,
  journalPieces,
  outcomeOf,
  type Replay,
  replay,
  takePiece,
} from '../../../../src/features/replay/study/replay.ts'
import { createJournal } from '../../../../src/pipeline/journal.ts'
import {
  ARRIVED,
  FINISHED,
  HIRED,
  NONE,
  pushFinished,
  pushRow,
  type Row,
  STARTED,
  STOPPED,
  THREW,
  TICK,
} from '../../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { isElastic } from '../../../../src/scenario/model/defaults.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { presets } from '../../../../src/scenario/presets/presets.ts'
import { createCore } from '../../../../src/scheduler/core.ts'
import { dispatch } from '../../../../src/scheduler/dispatch.ts'
import { readTraceJson } from '../../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../../src/trace/formats/traceJson.ts'
import { append, createTrace, eachRow, type Trace, traceRow } from '../../../../src/trace/trace.ts'
import { routingOf } from '../../../../src/workload/service.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { seededScenario } from '../../../fixtures/seededScenarios.ts'
import { workedExample } from '../../../measures/scenarios.ts'
import { digestOf } from '../../../trace/digestOf.ts'

const SCENARIOS = repeats(32)

function inPieces(trace: Trace, size: number): Replay {
  const replayer = createReplayer(trace.scenario)
  for (const piece of journalPieces(trace, size)) if (!takePiece(replayer, piece)) break
  return outcomeOf(replayer, trace.decisions.length)
}

function answersOf(trace: Trace): number {
  let answers = 0
  eachRow(trace, 0, trace.length, (rows, i) => {
    if (rows.kind[i] > STOPPED) answers++
  })
  return answers
}

describe('a recorded run through the same core again', () => {
  test('is reproduced to the last decision, for every scenario of the seeded list, whole and in pieces', async () => {
    for (let k = 0; k < SCENARIOS; k++) {
      const trace = await playSimulation(seededScenario(k), 0)
      const whole = {
        decisions: trace.decisions.length,
        reproduced: trace.decisions.length,
        answers: answersOf(trace),
        difference: null,
      }
      expect(replay(trace), `scenario ${k}`).toEqual(whole)
      expect(inPieces(trace, 7), `scenario ${k} in pieces`).toEqual(whole)
    }
  })

  test('is reproduced for the presets, elastic pools among them', async () => {
    for (const { title, scenario } of presets) {
      const trace = await playSimulation(small(scenario), 0)
      const result = replay(trace)
      expect(result.difference, title).toBeNull()
      expect(result.reproduced, title).toBe(trace.decisions.length)
    }
  })

  test('is reproduced when several dispatches have one time, as on threads', async () => {
    // All times are divided until many instants fall into one: facts of it then stand in several groups, as they were dispatched.
    for (let k = 0; k < repeats(20); k++) {
      const scenario = seededScenario(k)
      // The time says whether a lost worker had started its batch.
      if (isElastic(scenario.policy) || scenario.workerEvents.length > 0) continue
      const trace = await playSimulation(scenario, 0)
      const result = replay(rewritten(trace, { time: (time) => Math.floor(time / 50_000) }))
      expect(result.difference, `scenario ${k}, crowded`).toBeNull()
      expect(result.reproduced).toBe(trace.decisions.length)
    }
  })
})

const elasticPool = scenarioWith({
  stages: [{ id: 'A', service: { kind: 'exponential', mean: 3000 } }],
  source: { kind: 'regular', rate: 900, jobs: 60 },
  workers: 4,
  policy: { kind: 'pid', kp: 1, ki: 0.1, kd: 0, every: 2000, setpoint: 1, up: -2, down: 0 },
})

describe('dispatches of one time are distinguished if they differ:', () => {
  const elastic = scenarioWith({
    stages: [{ id: 'A' }],
    source: { kind: 'batch', jobs: 40 },
    workers: 4,
    policy: { kind: 'pid', kp: 0, ki: 30, kd: 0, every: 1000, setpoint: 3, up: -1, down: 1 },
  })
  const tick = [NONE, TICK] as const
  const arrivals = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => [from + i, ARRIVED] as const)

  test('a tick without an answer before other facts of its time', () => {
    for (let pairs = 1; pairs < 12; pairs++) {
      const groups = Array.from({ length: pairs }, (_, k) => [
        [...arrivals(2 * k, 2 * k + 1), tick],
        arrivals(2 * k + 1, 2 * k + 2),
      ]).flat()
      const trace = recorded(elastic, groups, (group) => group >> 1)
      expect(replay(trace).difference, `${pairs} pairs`).toBeNull()
      expect(rowsOf(trace, HIRED).length > 0, `${pairs} pairs`).toBe(pairs > 7)
    }
  })

  test('a tick and Stop in one dispatch, or in two', () => {
    const stop = [NONE, STOPPED] as const
    const busy = arrivals(0, 40)
    expect(replay(recorded(elastic, [[...busy, tick, stop]], () => 0))).toMatchObject({ answers: 0, difference: null })
    const two = recorded(elastic, [[...busy, tick], [stop]], () => 0)
    expect(rowsOf(two, HIRED).length).toBe(1)
    expect(replay(two).difference).toBeNull()
  })
})

/** The journal of the core for these facts, one group per dispatch; `at` has the times of the groups in milliseconds. */
function recorded(
  scenario: Scenario,
  groups: readonly (readonly (readonly [job: number, kind: number])[])[],
  at: (group: number) => number,
): Trace {
  const core = createCore(
    scenario,
    () => 1,
    () => 0,
    routingOf(scenario),
  )
  const journal = createJournal()
  groups.forEach((facts, k) => {
    const from = journal.rows.length
    for (const [job, kind] of facts) pushRow(journal.rows, at(k) * 1000, kind, NONE, NONE, job)
    dispatch(core, journal, from)
  })
  const trace = createTrace(scenario, 'threads', 0)
  append(trace, journal)
  return trace
}

describe('a record that was tampered with is named at the first row that differs:', () => {
  test('another job in one order, or another worker, in a record that the reader still accepts', async () => {
    const altered = { job: 0, worker: 0 }
    for (let k = 0; k < repeats(20); k++) {
      const trace = await playSimulation(seededScenario(k), 0)
      for (const what of ['job', 'worker'] as const) {
        for (const [row, mine, others] of alternatives(trace, what)) {
          const swapped = (value: number) => (value === mine ? others : value === others ? mine : value)
          const record = rewritten(trace, {
            change: (found, at) => (at < row ? found : { ...found, [what]: swapped(found[what]) }),
          })
          if (!isAccepted(record)) continue
          altered[what]++
          const difference = { kind: 'row', row, recorded: { [what]: others }, replayed: traceRow(trace, row) }
          expect(
            replay(record).difference,
            `scenario ${k}, row ${row}: ${what} ${others} instead of ${mine}`,
          ).toMatchObject(difference)
        }
      }
    }
    expect(altered.job).toBeGreaterThan(repeats(8))
    expect(altered.worker).toBeGreaterThan(0)
  })

  test('an order to another stage or another worker', async () => {
    for (let k = 0; k < repeats(20); k++) {
      const trace = await playSimulation(seededScenario(k), 0)
      const { stages } = trace.scenario
      if (stages.length < 2) continue
      const row = rowsOf(trace, STARTED)[Math.floor(rowsOf(trace, STARTED).length / 2)]
      const stage = (traceRow(trace, row).stage + 1) % stages.length
      const { difference, reproduced, decisions } = replay(rewritten(trace, { row, stage }))
      expect(difference, `scenario ${k}`).toMatchObject({
        kind: 'row',
        row,
        recorded: { stage },
        replayed: traceRow(trace, row),
      })
      expect(reproduced).toBeLessThan(decisions)
      expect(reproduced).toBe(difference?.decision)
    }
  })

  test('a fact at another time: what followed from it comes later than recorded', async () => {
    const trace = await playSimulation(workedExample, 0)
    const row = 7
    const { difference } = replay(rewritten(trace, { row, time: (time, i) => (i === row ? time + 1 : time) }))
    expect(traceRow(trace, 6)).toMatchObject({ kind: FINISHED, time: 1_000_000 })
    // The first of the two who finished together is now alone at its time, and a decision follows that was never recorded.
    expect(difference).toMatchObject({ kind: 'decision', row: 7, time: 1_000_000 + 1, recorded: null, decision: 0 })
  })

  test('a service that lasted longer shows in what the next decision saw', async () => {
    const trace = await playSimulation(
      scenarioWith({ stages: [{ id: 'A' }, { id: 'B' }], source: { kind: 'batch', jobs: 20 }, workers: 3 }),
      0,
    )
    const row = rowsOf(trace, FINISHED)[0]
    const { difference } = replay(rewritten(trace, { row, began: -100 }))
    expect(difference).toMatchObject({ kind: 'decision', decision: 1 })
    if (difference?.kind !== 'decision') throw new Error('no decision')
    expect(difference.recorded?.hash).toBe(trace.decisions.hash[1])
    expect(difference.replayed?.hash).not.toBe(trace.decisions.hash[1])
  })

  test('seats that were not given', async () => {
    const trace = await playSimulation(workedExample, 0)
    trace.decisions.seats[1] = 2
    expect(replay(trace)).toMatchObject({
      reproduced: 1,
      difference: { kind: 'decision', decision: 1, row: 8, recorded: { seats: [2, 1] }, replayed: { seats: [1, 1] } },
    })
  })

  test('an order left out at the end, or one too many', async () => {
    const trace = await playSimulation(workedExample, 0)
    const orders = rowsOf(trace, STARTED)
    const row = orders[orders.length - 1]
    expect(replay(rewritten(trace, { without: row }))).toMatchObject({
      difference: { kind: 'row', row, replayed: traceRow(trace, row) },
    })
    expect(replay(rewritten(trace, { twice: row }))).toMatchObject({
      difference: { kind: 'row', row: row + 1, replayed: null },
    })
  })

  test('an answer without a question, and facts that the core refuses, are reported and do not throw', () => {
    const scenario = scenarioWith({
      stages: [{ id: 'A' }],
      source: { kind: 'batch', jobs: 2 },
      workers: 1,
      order: { kind: 'buffer', slots: 1 },
    })
    const replayOf = (kind: number, job: number) => {
      const trace = createTrace(scenario, 'threads', 0)
      const journal = createJournal()
      pushRow(journal.rows, 0, kind, 0, 0, job)
      append(trace, journal)
      return replay(trace)
    }
    expect(replayOf(STARTED, 0).difference).toMatchObject({ kind: 'row', row: 0, decision: -1, replayed: null })
    expect(replayOf(FINISHED, 7).difference).toMatchObject({ kind: 'refused', row: 0 })
    expect(replayOf(THREW, 0).reproduced).toBe(0)
  })

  test('an empty record is reproduced: 0 of 0 decisions', () => {
    expect(replay(createTrace(workedExample, 'threads', 0))).toEqual({
      decisions: 0,
      reproduced: 0,
      answers: 0,
      difference: null,
    })
  })
})

describe('the pieces of a record', () => {
  test('end with an instant, are at least as long as asked, and together make the record', async () => {
    const trace = await playSimulation(seededScenario(3), 0)
    const timeAt = (row: number) => traceRow(trace, row).time
    const isFactAt = (row: number) => traceRow(trace, row).kind <= STOPPED
    for (const size of [1, 7, 50, trace.length, 1 << 15]) {
      const pieces = [...journalPieces(trace, size)]
      const again = createTrace(trace.scenario, 'simulation', 0)
      let end = 0
      for (const piece of pieces) {
        append(again, piece)
        const asked = Math.min(trace.length, end + size)
        end += piece.rows.length
        // The first row from there on that begins another time with a fact.
        let next = asked
        while (next < trace.length && (timeAt(next) === timeAt(next - 1) || !isFactAt(next))) next++
        expect(end, `size ${size}`).toBe(next)
      }
      expect(digestOf(again)).toBe(digestOf(trace))
    }
    expect([...journalPieces(trace)]).toHaveLength(1)
  })

  test('are replayed one by one, from the scenario that comes with the first', async () => {
    const trace = await playSimulation(elasticPool, 0)
    const pieces = [...journalPieces(trace, 40)]
    const replaying = createReplaying()
    await expect(replaying.replayPiece(null, pieces[0])).rejects.toThrow('the record begins without its scenario')
    expect(replaying.controllers()).toEqual({ times: [], outputs: [], factors: [] })
    for (const [k, piece] of pieces.entries())
      expect(await replaying.replayPiece(k === 0 ? trace : null, piece)).toBe(true)
    const ticks = replaying.controllers().times.length
    // A new scenario begins again.
    expect(await replaying.replayPiece(trace, pieces[0])).toBe(true)
    expect(replaying.controllers().times.length).toBeLessThan(ticks)
  })

  test('after a difference have no effect', async () => {
    const trace = await playSimulation(seededScenario(3), 0)
    const [first, second, third] = journalPieces(trace, 30)
    const replayer = createReplayer(trace.scenario)
    expect(takePiece(replayer, first)).toBe(true)
    expect(takePiece(replayer, third)).toBe(false)
    const { decisions, answers, difference } = replayer
    expect(difference?.row).toBeGreaterThanOrEqual(first.rows.length)
    expect(takePiece(replayer, second)).toBe(false)
    expect(replayer).toMatchObject({ decisions, answers, difference })
  })
})

function rowsOf(trace: Trace, kind: number): number[] {
  const found: number[] = []
  eachRow(trace, 0, trace.length, (rows, i, row) => {
    if (rows.kind[i] === kind) found.push(row)
  })
  return found
}

/** Orders of a record, each with the job or worker that it names and the one that the next other order at its stage names. */
function alternatives(trace: Trace, what: 'job' | 'worker'): [row: number, mine: number, others: number][] {
  const orders = rowsOf(trace, STARTED)
  const found: [number, number, number][] = []
  for (let share = 0; share < 3; share++) {
    const place = Math.floor((orders.length * share) / 3)
    const { stage, [what]: mine } = traceRow(trace, orders[place])
    const next = orders
      .slice(place)
      .find((row) => traceRow(trace, row).stage === stage && traceRow(trace, row)[what] !== mine)
    if (next !== undefined) found.push([orders[place], mine, traceRow(trace, next)[what]])
  }
  return found
}

/** Whether the reader of trace files accepts a record. */
function isAccepted(trace: Trace): boolean {
  return 'trace' in readTraceJson([...writeTraceJson(trace)].join(''))
}

interface Changes {
  readonly change?: (row: Row, at: number) => Row
  readonly row?: number
  readonly stage?: number
  readonly began?: number
  readonly time?: (time: number, row: number) => number
  readonly without?: number
  readonly twice?: number
}

/** The same record with a change. */
function rewritten(
  trace: Trace,
  { change = (found) => found, row = -1, stage, began = 0, time = (t) => t, without = -1, twice = -1 }: Changes,
): Trace {
  const copy = createTrace(trace.scenario, 'threads', 0)
  const journal = createJournal()
  const { rows } = journal
  eachRow(trace, 0, trace.length, (_, __, at) => {
    if (at === without) return
    const found = change(traceRow(trace, at), at)
    const now = time(found.time, at)
    const moved = now - found.time
    const where = at === row ? (stage ?? found.stage) : found.stage
    for (let times = at === twice ? 2 : 1; times > 0; times--) {
      if (found.kind !== FINISHED) pushRow(rows, now, found.kind, where, found.worker, found.job)
      else
        pushFinished(
          rows,
          now,
          where,
          found.worker,
          found.job,
          found.began + moved + (at === row ? began : 0),
          found.ended + moved,
        )
    }
  })
  journal.decisions = { ...trace.decisions, row: trace.decisions.row.map((at) => at) }
  append(copy, journal)
  return copy
}

/** Few jobs, so that all presets are played in a moment. */
function small(scenario: Scenario): Scenario {
  const source = {
    ...scenario.source,
    ...('jobs' in scenario.source ? { jobs: Math.min(200, scenario.source.jobs ?? 200) } : {}),
  }
  return scenarioWith({
    ...scenario,
    source: ['lines', 'image'].includes(scenario.source.kind) ? { kind: 'batch', jobs: 200 } : source,
  })
}
