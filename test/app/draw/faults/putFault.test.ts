import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { faultDraftOf, fieldProblems, readFaultDraft } from '../../../../src/app/draw/faults/FaultForm.tsx'
import { marksOf } from '../../../../src/app/draw/faults/faultWords.ts'
import { jobClockOf } from '../../../../src/app/draw/faults/jobClock.ts'
import { faultByKey, newSlowdownAt, putFault } from '../../../../src/app/draw/faults/putFault.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { scenarioStore, undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { type Fault, newWorkerEvent } from '../../../../src/scenario/edit/faults.ts'
import { readFragment, toShortFragment } from '../../../../src/scenario/link/codec.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { endingOf, playOut, threadsHere } from '../../../fixtures/threadsHere.ts'

threadsHere()

let session: Session
const draft = () => scenarioStore(session).getState().draft
const run = () => runStore(session).getState().run
const clock = () => jobClockOf(draft(), run(), ['A', 'B', 'C', 'D'], Infinity)
const marks = () => marksOf(draft(), run(), clock()).map(({ label, when }) => `${label} ${when}`)
const faultOf = (key: string): Fault => faultByKey(draft(), key) ?? expect.fail(`nothing is called ${key}`)

/** Puts a fault there, and returns its key. */
function put(fault: Fault | null, key: string | null = null, merge?: string): string {
  const done = putFault(session, fault ?? expect.fail('nothing to put there'), key, merge)
  return 'key' in done ? done.key : expect.fail(done.problems[0].message)
}

beforeEach(() => {
  session = createSession()
  openScenario(session, presetOf('rush-hour')?.scenario ?? expect.fail('no preset'))
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('a fault in the middle of a run', () => {
  test('applies from the next run on, is in the link, and is undone step by step', async () => {
    put(newWorkerEvent(draft(), 'crash', 500_000))
    await playOut(session)
    expect(marks()).toEqual(['Worker 8 crashes at 0.500 s'])
    expect(endingOf(session)).toContain('1 worker lost')
    const read = readFragment(toShortFragment(draft()))
    expect(read.found === 'scenario' && read.scenario.workerEvents).toEqual([{ at: 500_000, kind: 'crash', worker: 7 }])

    const slow = put(newSlowdownAt(session, 1_000_000, draft().stages[2]))
    expect(marks()[1]).toMatch(/^Enrich 5 times slower from job \d+, at /)
    expect(marksOf(draft(), run(), clock()).map(({ played }) => played)).toEqual([true, false])
    const typed = { ...faultDraftOf(draft(), faultOf(slow), clock()), from: '120', factor: '3' }
    const form = readFaultDraft(draft(), typed, faultOf(slow))
    put('fault' in form ? form.fault : null, slow)
    expect(marks().find((mark) => mark.startsWith('Enrich'))).toMatch(/^Enrich 3 times slower from job 120, at /)
    undo(session)
    expect(marks()[1]).toMatch(/^Enrich 5 times slower/)
    undo(session)
    expect(marks()).toHaveLength(1)
  })

  test('that is impossible is reported at its field', () => {
    put(newWorkerEvent(draft(), 'crash', 500_000))
    const key = put(newWorkerEvent(draft(), 'join', 500_000))
    expect(marks()).toContain('Worker 9 joins at 0.500 s')
    const typed = { ...faultDraftOf(draft(), faultOf(key), clock()), what: 'leave' as const, worker: '12' }
    const form = readFaultDraft(draft(), typed, faultOf(key))
    const refused = putFault(session, 'fault' in form ? form.fault : expect.fail('it can be read'), key)
    expect('problems' in refused && fieldProblems(refused.problems)).toEqual({
      worker: expect.stringContaining('found 12; allowed: a whole number from 1 to 8'),
    })
    const good = readFaultDraft(draft(), { ...typed, at: '0.4 s', worker: '3' }, faultOf(key))
    put('fault' in good ? good.fault : null, key)
    expect(marks()).toContain('Worker 3 leaves at 0.400 s')
  })
})
