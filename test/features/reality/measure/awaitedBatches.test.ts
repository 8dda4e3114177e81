import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { awaitedBatchesInSteps, type WaitCause } from '../../../../src/features/reality/measure/criticalPath.ts'
import type { ServedBatch } from '../../../../src/measures/jobs/batches.ts'
import { ARRIVED, DISMISSED, FINISHED, LOST, NONE, PREFETCH, STARTED, THREW } from '../../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { runToEnd } from '../../../../src/trace/follow.ts'
import { type Trace, traceRow } from '../../../../src/trace/trace.ts'
import { anyScenario, elasticPolicies } from '../../../fixtures/anyScenario.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { type Noted, traceOf } from '../../../measures/notedTrace.ts'
import { scenarios } from '../../../measures/scenarios.ts'

interface PlainBatch {
  readonly stage: number
  readonly worker: number
  readonly jobs: number[]
  readonly ended: Map<number, number>
  readonly ordered: number
  /** The batch that its worker was at when it was ordered. */
  readonly ahead: PlainBatch | undefined
  /** Reported before it, in this order. */
  readonly before: readonly PlainBatch[]
  /** When each job had arrived by then, in this order. */
  readonly arrived: readonly (readonly [job: number, time: number])[]
  reported: number
  undone: boolean
}

/** Returns the batches of a run in the order of their reports, each with all that had happened when it was ordered. */
function plainBatches(trace: Trace): PlainBatch[] {
  const closed: PlainBatch[] = []
  const arrived: [number, number][] = []
  const hands = new Map<number, PlainBatch[]>()
  const announced = new Set<number>()
  for (let i = 0; i < trace.length; i++) {
    const { kind, stage, worker, job, time, ended } = traceRow(trace, i)
    const hand = hands.get(worker) ?? []
    hands.set(worker, hand)
    const close = (batches: number, undone: boolean) =>
      closed.push(...hand.splice(0, batches).map((batch) => Object.assign(batch, { reported: time, undone })))
    if (kind === ARRIVED) arrived.push([job, time])
    if (kind === PREFETCH) announced.add(worker)
    if (kind === STARTED && (hand.length === 0 || announced.delete(worker))) {
      const more = { ahead: hand[0], before: [...closed], arrived: [...arrived], reported: Number.NaN, undone: false }
      hand.push({ stage, worker, jobs: [job], ended: new Map(), ordered: time, ...more })
    } else if (kind === STARTED) hand[hand.length - 1].jobs.push(job)
    if (kind === FINISHED && hand[0].ended.set(job, ended).size === hand[0].jobs.length) close(1, false)
    if (kind === THREW) close(1, true)
    if (kind === LOST || (kind === DISMISSED && job !== NONE)) close(hand.length, true)
  }
  return closed
}

interface PlainWait {
  readonly ready: number
  readonly by: 'report' | 'end' | 'arrival' | 'clock'
  readonly batch?: PlainBatch | undefined
  readonly job?: number | undefined
}

/** What a batch waited for, where no resources are taken. */
function plainWait(
  { scenario }: Trace,
  { stage, worker, jobs, ordered, ahead, before, arrived }: PlainBatch,
): PlainWait {
  if (ahead?.undone) return { ready: ahead.reported, by: 'report', batch: ahead, job: NONE }
  const end = ahead?.ended.get(ahead.jobs[ahead.jobs.length - 1]) ?? -1
  if (ordered <= end) return { ready: end, by: 'end', batch: ahead }
  const job = jobs[0]
  const id = (s: number) => scenario.stages[s].id
  const own = ahead === undefined ? before.filter((batch) => batch.worker === worker).at(-1) : undefined
  const isLinked = (batch: PlainBatch) =>
    scenario.links.some(([from, to]) => from === id(batch.stage) && to === id(stage))
  const brings = (batch: PlainBatch) =>
    (batch.ended.has(job) && isLinked(batch)) || (batch.undone && batch.stage === stage && batch.jobs.includes(job))
  const bringing = before.filter(brings).at(-1)
  const now = (batch: PlainBatch | undefined) => batch?.reported === ordered
  if (now(own)) return { ready: ordered, by: 'report', batch: own, job: NONE }
  if (now(bringing)) return { ready: ordered, by: 'report', batch: bringing, job }
  if (arrived.some(([each, time]) => each === job && time === ordered)) return { ready: ordered, by: 'arrival', job }
  if (now(before.at(-1))) return { ready: ordered, by: 'report', batch: before.at(-1), job: NONE }
  if (arrived.at(-1)?.[1] === ordered) return { ready: ordered, by: 'arrival', job: arrived.at(-1)?.[0] }
  return { ready: ordered, by: 'clock' }
}

/** The batches from the one reported last back to the first that waited for none. */
function chainOf(trace: Trace) {
  const { batches, causes, last } = runToEnd(awaitedBatchesInSteps(trace))
  const chain: (ServedBatch & { readonly cause: WaitCause })[] = []
  for (let at = last; at !== null; ) {
    const cause: WaitCause = causes[at.index]
    chain.push({ ...at, cause })
    at = 'batch' in cause ? cause.batch : null
  }
  return { job: batches.job, ended: batches.ended, chain }
}

describe('a batch', () => {
  test('has its jobs and times, and waited for what plain notes of the run say, back from the last to the first', async () => {
    const kinds = { report: 0, end: 0, arrival: 0, clock: 0, job: 0, undone: 0 }
    const free = fc
      .oneof(
        scenarios,
        anyScenario({ jobs: 30, workers: 4, service: 3000 }),
        anyScenario({ jobs: 30, graphs: true }),
        anyScenario({ policies: elasticPolicies }),
      )
      .map((scenario) => ({ ...scenario, stages: scenario.stages.map((stage) => ({ ...stage, resource: null })) }))
    await fc.assert(
      fc.asyncProperty(free, async (scenario) => {
        const trace = await playSimulation(scenario, 0)
        const { job, ended, chain } = chainOf(trace)
        let plain = plainBatches(trace).at(-1)
        for (const { stage, worker, from, jobs, ordered, ready, reported, undone, cause } of chain) {
          if (plain === undefined) throw new Error('more batches than notes')
          const own = [...job.subarray(from, from + jobs)]
          expect({ stage, worker, own, ordered, reported, undone }).toEqual({
            ...{ stage: plain.stage, worker: plain.worker, own: plain.jobs },
            ...{ ordered: plain.ordered, reported: plain.reported, undone: plain.undone },
          })
          expect([...ended.subarray(from, from + jobs)]).toEqual(
            own.map((each) => plain?.ended.get(each) ?? Number.NaN),
          )
          const wait = plainWait(trace, plain)
          expect({ ready, by: cause.by, job: 'job' in cause ? cause.job : undefined }).toEqual({
            ready: wait.ready,
            by: wait.by,
            job: wait.job,
          })
          kinds[cause.by]++
          if (cause.by === 'report' && cause.job !== NONE) kinds.job++
          if (undone) kinds.undone++
          plain = wait.batch
        }
        expect(plain).toBeUndefined()
      }),
      { numRuns: repeats(200) },
    )
    expect(Object.values(kinds).every((times) => times > 0)).toBe(true)
  })

  describe('that was prefetched', () => {
    const scenario = scenarioWith({
      source: { kind: 'times', at: [0, 900] },
      stages: [{ id: 'A' }],
      workers: 1,
      batch: { inHand: 2 },
    })
    /** Job 0 is worked at from 10 to 1000, reported at 1050. Job 1 arrives and is ordered in between, by a worker far away. */
    const ordered = (time: number) => {
      const rows: Noted[] = [
        [0, ARRIVED, NONE, NONE, 0],
        [0, STARTED, 0, 0, 0],
        [time, ARRIVED, NONE, NONE, 1],
        [time, PREFETCH, 0, 0],
        [time, STARTED, 0, 0, 1],
        [1050, FINISHED, 0, 0, 0, 10, 1000],
        [2100, FINISHED, 0, 0, 1, 1040, 2050],
      ]
      return chainOf(traceOf(scenario, rows, 'room')).chain
    }

    test.each([999, 1000])('before or when the one before it ended could begin at that end: at %i of 1000', (time) => {
      const [second, first] = ordered(time)
      expect(second).toMatchObject({ ordered: time, ready: 1000, cause: { by: 'end' } })
      expect(first).toMatchObject({ ordered: 0, ready: 0, cause: { by: 'arrival', job: 0 } })
    })

    test('later than that could begin when it was ordered, like any other, and waited for its job', () => {
      expect(ordered(1001)).toMatchObject([{ ordered: 1001, ready: 1001, cause: { by: 'arrival', job: 1 } }])
    })
  })
})
