import { beforeEach, describe, expect, test } from 'vitest'
import {
  editOrShowProblems,
  open,
  scenarioStore,
  undo,
  withChosenPolicy,
} from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { setPolicy } from '../../../../src/scenario/edit/edits.ts'
import { leastTotalTimeCode } from '../../../../src/scenario/model/policies.ts'
import type { Policy, PolicyKind } from '../../../../src/scenario/model/scenario.ts'
import { defaultPreset } from '../../../../src/scenario/presets/preset.ts'

const mine: Policy = {
  kind: 'code',
  lend: false,
  name: 'Mine',
  source: 'export default ({ stages, workers }) => stages.map((_, s) => (s === 0 ? workers : 0))\n',
}

let session: Session
const policy = () => scenarioStore(session).getState().draft.policy
const choose = (kind: PolicyKind) => editOrShowProblems(session, (now) => withChosenPolicy(session, now, kind))
const write = (code: Policy) => editOrShowProblems(session, (now) => setPolicy(now, code))

beforeEach(() => {
  session = createSession()
  open(session, defaultPreset.scenario)
})

describe('own code', () => {
  test('is restored with its name when it is chosen again after another policy', () => {
    choose('code')
    expect(policy()).toMatchObject({ name: '', source: leastTotalTimeCode })
    write(mine)
    choose('jefferson')
    choose('code')
    expect(policy()).toEqual(mine)
  })

  test('is restored after other scenarios too, and after undo removed it', () => {
    write(mine)
    open(session, defaultPreset.scenario)
    choose('code')
    expect(policy()).toEqual(mine)
    undo(session)
    undo(session)
    undo(session)
    expect(policy().kind).toBe(defaultPreset.scenario.policy.kind)
    choose('code')
    expect(policy()).toEqual(mine)
  })
})
