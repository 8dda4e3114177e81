import { beforeEach, describe, expect, test } from 'vitest'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { editOrShowProblems, scenarioStore } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { setPolicy, setWorkers } from '../../../../src/scenario/edit/edits.ts'
import type { PolicyKind } from '../../../../src/scenario/model/scenario.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'

let session: Session
const state = () => scenarioStore(session).getState()
const policyTo = (kind: PolicyKind) => editOrShowProblems(session, (now) => setPolicy(now, kind))
const workersTo = (workers: number) => editOrShowProblems(session, (now) => setWorkers(now, workers))
const refusal = () => {
  const [{ path, message }] = state().problems
  return `${path} ${message}`
}

beforeEach(() => {
  session = createSession()
  openScenario(session, presetOf('rush-hour')?.scenario ?? expect.fail('no preset'))
})

describe('a policy', () => {
  test('of one worker per stage is refused until there are enough workers, and the policy before stays', () => {
    workersTo(3)
    expect(policyTo('onePerStage')).toBe(false)
    expect(refusal()).toMatch(/^workers.*at least 4, one for each stage/)
    expect(state().draft.policy.kind).toBe('leastScore')
    workersTo(4)
    expect(state().problems).toEqual([])
    expect(policyTo('onePerStage')).toBe(true)
  })
})

test.each([0, 10_001, 2.5, -3, 1e9])(
  '%d workers are refused with a reason, and the last good number stays',
  (wrong) => {
    expect(workersTo(wrong)).toBe(false)
    expect(refusal()).toMatch(/^workers.*a whole number from 1 to 10,000/)
    expect(state().draft.workers).toBe(8)
  },
)
