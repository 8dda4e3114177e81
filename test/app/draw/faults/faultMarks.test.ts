import { describe, expect, test } from 'vitest'
import { faultDraftOf, fieldProblems, readFaultDraft } from '../../../../src/app/draw/faults/FaultForm.tsx'
import { marksOf, problemOnScreen } from '../../../../src/app/draw/faults/faultWords.ts'
import { jobClockOf } from '../../../../src/app/draw/faults/jobClock.ts'
import type { Run } from '../../../../src/app/session/run/runStore.ts'
import { createFirstStarts, extendFirstStarts, firstStartOf } from '../../../../src/measures/jobs/jobPlaces.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { scenarioFaults, slowerService, withFault } from '../../../../src/scenario/edit/faults.ts'
import { parse } from '../../../../src/scenario/parse/parse.ts'
import { valid } from '../../../fixtures/anyScenario.ts'

const lognormal = (mean: number) => ({ kind: 'lognormal', mean, cv: 1 })
const scenario = valid({
  version: 1,
  source: { kind: 'regular', rate: 100, jobs: 200 },
  stages: [
    { id: 'A', service: { kind: 'exponential', mean: 8000 } },
    { id: 'B', name: 'Enrich', service: lognormal(9000), changes: [{ from: 100, service: lognormal(45_000) }] },
  ],
  workers: 4,
  workerEvents: [{ at: 500_000, kind: 'crash', worker: 3 }],
})

async function played(asked = scenario): Promise<Run> {
  const trace = await playSimulation(asked, 0)
  return { scenario: asked, trace } as Partial<Run> as Run
}

describe('a job on the axis of time', () => {
  test('is where the visible run began it at the stage', async () => {
    const run = await played()
    const clock = jobClockOf(scenario, run, ['B'], Infinity)
    const begins = createFirstStarts(run.trace, 1)
    extendFirstStarts(begins)
    expect(clock.timeOf('B', 100)).toBe(firstStartOf(begins, 100))
    expect(clock.jobAt('B', clock.timeOf('B', 100))).toBeLessThanOrEqual(100)
    expect(clock.whole).toBe(true)
  })

  test('is at the expected arrival of its job if no run has reached that job', async () => {
    expect(jobClockOf(scenario, null, ['B']).timeOf('B', 100)).toBe(1_000_000)
    expect(jobClockOf(scenario, null, ['B']).jobAt('B', 1_000_000)).toBe(100)
    expect(jobClockOf(scenario, null, ['B']).jobAt('B', 1e12)).toBe(199)
    const run = await played()
    expect(
      jobClockOf({ ...scenario, source: { kind: 'regular', rate: 100, jobs: 500 } }, run, ['B'], Infinity).timeOf(
        'B',
        400,
      ),
    ).toBe(4_000_000)
  })
})

describe('marks', () => {
  test('tell what happens, where and when, in order of time, and whether the visible run had it', async () => {
    const run = await played()
    const edited = withFault(scenario, { at: 100_000, kind: 'join', worker: 0 }).scenario
    const marks = marksOf(edited, run, jobClockOf(edited, run, ['B'], Infinity))
    expect(marks.map(({ label, played, kind }) => [label, played, kind])).toEqual([
      ['Worker 5 joins', false, 'join'],
      ['Worker 4 crashes', true, 'crash'],
      ['Enrich 5 times slower', true, 'slower'],
    ])
    expect(marks[0].when).toBe('at 0.100 s')
    expect(marks[2].when).toMatch(/^from job 100, at \d\.\d{3} s$/)
    expect(marks.map(({ colourIndex }) => colourIndex)).toEqual([null, null, 1])
  })
})

describe('the form of a mark', () => {
  const clock = jobClockOf(scenario, null, ['B'])
  const [crash, change] = scenarioFaults(scenario)

  test('shows the fault unchanged, with its distribution', () => {
    for (const each of [crash, change])
      expect(readFaultDraft(scenario, faultDraftOf(scenario, each, clock), each)).toEqual({ fault: each })
    expect(faultDraftOf(scenario, crash, clock)).toMatchObject({ what: 'crash', at: '500 ms', worker: '4' })
    expect(faultDraftOf(scenario, change, clock)).toMatchObject({
      what: 'change',
      stage: 'B',
      from: '100',
      factor: '5',
    })
  })

  test('sets another pace relative to the stage without the fault, or another kind of fault', () => {
    const draft = faultDraftOf(scenario, change, clock)
    expect(readFaultDraft(scenario, { ...draft, factor: '2' }, change)).toEqual({
      fault: slowerService(scenario.stages[1], 100, 2),
    })
    expect(readFaultDraft(scenario, { ...draft, from: '10' }, change)).toMatchObject({
      fault: { from: 10, service: { mean: 45_000, cv: 1 } },
    })
    expect(readFaultDraft(scenario, { ...draft, what: 'hang', at: '1.5 s', worker: '2' }, change)).toEqual({
      fault: { kind: 'hang', at: 1_500_000, worker: 1 },
    })
  })

  test('reports a wrong time or number at its field, and problems of parse in the words of the screen', () => {
    const draft = { ...faultDraftOf(scenario, crash, clock), at: 'soon', worker: 'x' }
    expect(readFaultDraft(scenario, draft, crash)).toEqual({
      problems: {
        at: expect.stringMatching(/allowed: a time/),
        worker: expect.stringMatching(/allowed: a whole number/),
      },
    })
    expect(readFaultDraft(scenario, { ...faultDraftOf(scenario, change, clock), factor: '-1' }, change)).toHaveProperty(
      'problems.factor',
    )
    const parsed = parse(withFault(scenario, { at: 0, kind: 'hang', worker: 9 }, null).scenario)
    const problems = 'problems' in parsed ? parsed.problems.map(problemOnScreen) : []
    expect(fieldProblems(problems)).toEqual({ worker: 'found 10; allowed: a whole number from 1 to 4' })
    const twice = parse(withFault(scenario, slowerService(scenario.stages[1], 100, 2)).scenario)
    expect(fieldProblems('problems' in twice ? twice.problems : [])).toHaveProperty('from')
  })
})

describe('a new phase of the scheduler', () => {
  const phased = valid({
    ...scenario,
    later: [
      { at: 300_000, policy: { kind: 'power', p: 5 }, batch: { size: 4 } },
      { at: 600_000, switchCost: 7, cores: 2 },
    ],
  })
  const clock = jobClockOf(phased, null, [])

  test('is a mark with the policy that takes over and the time, or with the other changes', () => {
    const marks = marksOf(phased, null, clock).filter(({ kind }) => kind === 'phase')
    expect(marks.map(({ label, when, time, colourIndex }) => `${label} ${when} ${time} ${colourIndex}`)).toEqual([
      'Power at 0.300 s 300000 null',
      'Change: Switch cost and Cores at 0.600 s 600000 null',
    ])
  })
})
