import { expect, test } from 'vitest'
import { askAboutDecision, explainDecision } from '../../../../src/features/code/sandbox/askCode.ts'
import { decisionAt } from '../../../../src/measures/decisions/decision.ts'
import { createEstimateHistory } from '../../../../src/measures/decisions/estimateHistory.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { beginning, journalBetween } from '../../../../src/trace/journalBetween.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { playCode } from '../../../fixtures/playCode.ts'
import { underCode } from '../../../fixtures/scenarios.ts'

const three = (source: string) => valid(underCode(source))

const counting = `export default ({ memory, workers }) => {
  memory.n = (memory.n ?? 0) + 1
  return memory.n % 2 === 0 ? { A: workers } : { B: workers - 1, A: 1 }
}
export function describe(view, seats) {
  view.memory.n += 1000
  return [view.memory.n, seats.join('-'), view.workers, view.time, view.stages[0].waiting].join(' ')
}`

/** Returns what the code says of a decision of a run. */
async function words(scenario: Scenario, d: number): Promise<unknown> {
  const trace = await playCode(scenario)
  return explainDecision(
    scenario,
    journalBetween(trace, beginning, { rows: trace.decisions.row[d], decisions: d + 1 }),
    d,
  )
}

test('code explains its decision, with the memory that it had then', async () => {
  const trace = await playCode(three(counting))
  for (const d of [0, 5]) {
    const { time, stages } = decisionAt(trace, createEstimateHistory(trace), d)
    const seats = d % 2 === 0 ? '1-2' : '3-0'
    expect(await words(three(counting), d)).toEqual({ text: `${1001 + d} ${seats} 3 ${time} ${stages[0].waiting}` })
  }
})

test('code explains a decision as it was, also out of a record that goes on', async () => {
  const trace = await playCode(three(counting))
  const { time, stages } = decisionAt(trace, createEstimateHistory(trace), 2)
  expect(await explainDecision(three(counting), journalBetween(trace, beginning), 2)).toEqual({
    text: `1003 1-2 3 ${time} ${stages[0].waiting}`,
  })
})

test('code that begins in a later phase explains the decisions of that phase', async () => {
  const scenario = three(counting)
  const phased = valid({ ...scenario, policy: { kind: 'adams' }, later: [{ at: 1000, policy: scenario.policy }] })
  const trace = await playCode(phased)
  const last = trace.decisions.length - 1
  expect(await explainDecision(phased, journalBetween(trace, beginning), last)).toEqual({
    text: expect.stringMatching(/^10\d\d \d-\d 3 \d+ \d+$/),
  })
})

test('an explanation does not change the run', async () => {
  const silent = counting.slice(0, counting.indexOf('export function'))
  const [described, mute] = await Promise.all([counting, silent].map((source) => playCode(three(source))))
  expect(described.ending).toBe('drained')
  expect(journalBetween(described, beginning).decisions).toEqual(journalBetween(mute, beginning).decisions)
  expect(await words(three(silent), 0)).toBeNull()
})

test('an error in `describe` is reported with its line', async () => {
  const says = (body: string) =>
    words(three(`export default () => [1, 2]\nexport function describe(view, seats) {\n  ${body}\n}`), 1)
  expect(await says('return 7')).toEqual({ problem: 'the function describe of the policy did not return a text: 7' })
  expect(await says('for (;;) {}')).toMatchObject({
    problem: expect.stringMatching(/^the code of the policy took too long: line/),
  })
  expect(await says("return 'x\\u202e\\n'.repeat(5000)")).toEqual({ text: `${'x  '.repeat(67).slice(0, 200)}…` })
})

test('code gives the same seats again for a decision of a run, and for the first decision of a scenario', async () => {
  const source =
    'export default ({ workers, stages: [a, b] }) => [Math.min(workers, a.waiting + (a.finished % 2)), b.waiting > 0 && a.waiting === 0 ? 1 : 0]'
  const scenario = three(source)
  const trace = await playCode(scenario)
  const history = createEstimateHistory(trace)
  const given = (d: number) => decisionAt(trace, history, d).stages.map(({ seatsAfter }) => seatsAfter)
  for (const d of [1, 20])
    expect(await askAboutDecision(scenario, decisionAt(trace, history, d))).toMatchObject({
      seats: given(d),
      problem: null,
    })
  expect(await askAboutDecision(scenario, null)).toMatchObject({ seats: given(0), view: { workers: 3, time: 0 } })
})

test('the view of the first decision is that of a run, and an answer has an explanation', async () => {
  const answer = await askAboutDecision(three(counting), null)
  const trace = await playCode(three(counting))
  const { stages } = decisionAt(trace, createEstimateHistory(trace), 0)
  const waiting = stages.map((stage) => stage.waiting)
  expect(answer?.view).toEqual({
    workers: 3,
    time: 0,
    stages: waiting.map((waiting, s) => ({
      waiting,
      mean: stages[s].mean,
      busy: 0,
      seatsBefore: stages[s].seatsBefore,
      done: false,
      measured: 0,
    })),
  })
  expect(answer).toMatchObject({ seats: [1, 2], problem: null, words: { text: `1001 1-2 3 0 ${waiting[0]}` } })
})

test('code that fails gives no answer, but the reason', async () => {
  const view = {
    workers: 3,
    time: 0,
    stages: [1, 1].map((waiting) => ({ waiting, mean: 10, busy: 0, seatsBefore: 1, done: false, measured: 0 })),
  }
  const answer = await askAboutDecision(three('export default () => { throw new Error("no") }'), view)
  expect(answer).toEqual({ view, seats: null, problem: expect.stringMatching(/threw an error.*no/s), words: null })
})

test('without code, or without a decision of the run, nothing is asked', async () => {
  const scenario = three(counting)
  const ruled: Scenario = { ...scenario, policy: { kind: 'adams', lend: true } }
  expect(await askAboutDecision(ruled, null)).toBeNull()
  expect(await askAboutDecision(ruled, { workers: 3, time: 0, stages: [] })).toBeNull()
  expect(await words(ruled, 1)).toBeNull()
  expect(await askAboutDecision(valid({ ...scenario, source: { kind: 'batch', jobs: 0 } }), null)).toBeNull()
})
