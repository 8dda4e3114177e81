import { beforeEach, describe, expect, test } from 'vitest'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { type Study, type StudyControl, study } from '../../../../src/app/session/study/study.ts'
import { runJobs } from '../../../../src/runs/remote/jobThreads.ts'
import { comparisonKey } from '../../../../src/scenario/model/compact.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { threeStages } from '../../../fixtures/scenarios.ts'
import { PATIENCE, threadsHere } from '../../../fixtures/threadsHere.ts'

const threads = threadsHere()

const scenarioWith = (workers: number, jobs = 20) => valid({ ...threeStages, workers, source: { kind: 'batch', jobs } })

/** The makespans of a scenario with more and more seeds. */
const makespans = study<Scenario, readonly number[]>({
  key: comparisonKey,
  async work(scenario, { show, ...control }) {
    const found: number[] = []
    const seeds = [1, 2, 3, 4].map((seed) => ({ ...scenario, seed }))
    await runJobs('metrics', seeds, {
      ...control,
      answer(_, { makespan }) {
        found.push(makespan)
        show([...found])
      },
    })
    return found
  },
})

/** A study whose work the test controls. */
const held = study<string, string>({
  key: (question) => question,
  work: (question, control) =>
    new Promise((resolve, reject) => Object.assign(works, { [question]: { control, resolve, reject } })),
})

interface Work {
  readonly control: StudyControl<string>
  resolve(found: string): void
  reject(reason: unknown): void
}
let works: Record<string, Work> = {}
let session: Session
const stateOf = <Found>(each: Study<never, Found>) => each.store.getState()
/** Waits until a study notices that its viewer has gone. */
const moment = () => new Promise<void>((resolve) => setTimeout(resolve))

beforeEach(() => {
  works = {}
  session = createSession()
})

describe('a study on threads', () => {
  test('shows its progress and its answer, which stays when its panel closes', async () => {
    const it = makespans(session)
    const progress: number[] = []
    it.store.subscribe((state) => state.phase === 'running' && progress.push(state.progress))
    const leave = it.watch(comparisonKey(scenarioWith(3)))
    await it.start(scenarioWith(3))
    expect(progress).toEqual([...progress].sort((a, b) => a - b))
    expect(progress.length).toBeGreaterThan(3)
    leave()
    await moment()
    expect(stateOf(it)).toMatchObject({ phase: 'done', key: comparisonKey(scenarioWith(3)), found: { length: 4 } })
  })

  test.each<readonly [string, 'stopped' | 'idle', (it: Study<Scenario, unknown>, leave: () => void) => void]>([
    ['that is cancelled', 'stopped', (it) => it.stop()],
    ['whose panel closes', 'idle', (_, leave) => leave()],
    [
      'that is about another scenario now',
      'idle',
      (it, leave) => {
        leave()
        it.watch(comparisonKey(scenarioWith(4)))
      },
    ],
    ['whose session ends', 'idle', () => session.end()],
  ])('%s ends its threads and keeps what it has found', async (_, phase, end) => {
    const it = makespans(session)
    const large = scenarioWith(3, 4000)
    const leave = it.watch(comparisonKey(large))
    // At the first result: a poll might see all results at once.
    const first = new Promise<void>((resolve) =>
      it.store.subscribe(({ found }) => found !== null && found.length > 0 && resolve()),
    )
    void it.start(large)
    await first
    end(it, leave)
    await expect.poll(() => threads.open.size, PATIENCE).toBe(0)
    const { found } = stateOf(it)
    expect(found?.length).toBeLessThan(4)
    await moment()
    expect(stateOf(it)).toMatchObject({ key: comparisonKey(large), phase, found })
  })
})

describe('a study', () => {
  test('ignores late results, and gives the earlier result to the next start', async () => {
    const it = held(session)
    void it.start('a')
    works.a.control.show('half of a')
    it.stop()
    works.a.control.progress(0.9)
    works.a.resolve('a')
    expect(() => works.a.control.show('more of a')).toThrow()
    await moment()
    expect(stateOf(it)).toMatchObject({ key: 'a', phase: 'stopped', found: 'half of a' })
    void it.start('a')
    expect(stateOf(it)).toMatchObject({ key: 'a', phase: 'running', progress: 0, found: 'half of a' })
    void it.start('b')
    expect(stateOf(it)).toMatchObject({ key: 'b', phase: 'running', found: null })
    expect(works.b.control.before).toBe('half of a')
    works.b.resolve('b')
    await moment()
    expect(stateOf(it)).toMatchObject({ key: 'b', phase: 'done', progress: 1, found: 'b' })
  })

  test('that fails says why, and can be started again', async () => {
    const it = held(session)
    const ended = it.start('a')
    works.a.reject(new Error('no thread could be started'))
    await ended
    expect(stateOf(it)).toMatchObject({ phase: 'failed', sentence: 'no thread could be started' })
    void it.start('a')
    expect(stateOf(it)).toMatchObject({ phase: 'running', sentence: '' })
  })
})
