import { beforeEach, describe, expect, test } from 'vitest'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { edit, scenarioStore, undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { secretsOf } from '../../../../src/app/session/secrets/secrets.ts'
import { mysteryNotice, reveal } from '../../../../src/app/session/secrets/secretWords.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { firstChoice, underPolicy } from '../../../../src/runs/study/compare.ts'
import { setOptions } from '../../../../src/scenario/edit/edits.ts'
import { comparisonKey } from '../../../../src/scenario/model/compact.ts'
import { withoutHidden } from '../../../../src/scenario/model/hidden.ts'
import type { Hidden } from '../../../../src/scenario/model/scenario.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { madeUpAddress } from '../../../fixtures/madeUpAddress.ts'
import { pageHere } from '../../../fixtures/pageHere.ts'

const policy: Hidden = { kind: 'policy' }
const ofB: Hidden = { kind: 'service', stage: 'B' }
const mystery = (mean: number) =>
  valid({
    version: 1,
    stages: [{ id: 'A' }, { id: 'B', name: 'Bake', service: { kind: 'constant', mean } }],
    workers: 2,
    policy: { kind: 'dean' },
    hidden: [policy, ofB],
  })

beforeEach(() => void pageHere())

describe('the secrets of the page', () => {
  test('are what the scenario hides, the same object while nothing changes, and fewer after each reveal', () => {
    const session = createSession(madeUpAddress(''))
    openScenario(session, mystery(7000))
    const before = secretsOf(session)
    expect(before).toMatchObject({ policy: true, services: new Set(['B']) })
    expect(secretsOf(session)).toBe(before)
    expect(mysteryNotice(mystery(7000))).toBe(
      'This scenario hides the policy and the service time of "Bake". Press Run, watch, and guess.',
    )
    reveal(session, policy)
    expect(runStore(session).getState().status()).toBe('Revealed: the policy is Dean.')
    expect(scenarioStore(session).getState().scenario.hidden).toEqual([ofB])
    expect(secretsOf(session)).toMatchObject({ policy: false, services: new Set(['B']) })
  })

  test('stay revealed after undo, and are hidden again in the next mystery', () => {
    const session = createSession(madeUpAddress(''))
    openScenario(session, mystery(7000))
    reveal(session, ofB)
    undo(session)
    expect(scenarioStore(session).getState().scenario.hidden).toEqual([policy, ofB])
    expect(secretsOf(session).services.size).toBe(0)
    openScenario(session, mystery(8000))
    expect(secretsOf(session).services).toEqual(new Set(['B']))
  })

  test('of two stages with equal service times are revealed one by one', () => {
    const session = createSession(madeUpAddress(''))
    const stage = (id: string) => ({ id, service: { kind: 'constant', mean: 7000 } })
    const both = valid({
      version: 1,
      stages: [stage('A'), stage('B')],
      workers: 2,
      hidden: [{ kind: 'service', stage: 'A' }, ofB],
    })
    openScenario(session, both)
    reveal(session, ofB)
    expect(secretsOf(session).services).toEqual(new Set(['A']))
    undo(session)
    expect(secretsOf(session).services).toEqual(new Set(['A']))
  })

  test('of a stage include its later service times', () => {
    const session = createSession(madeUpAddress(''))
    const changing = (mean: number) =>
      valid({
        version: 1,
        stages: [
          { id: 'A' },
          {
            id: 'B',
            service: { kind: 'constant', mean: 7000 },
            changes: [{ from: 5, service: { kind: 'constant', mean } }],
          },
        ],
        workers: 2,
        hidden: [ofB],
      })
    openScenario(session, changing(100))
    reveal(session, ofB)
    openScenario(session, changing(200))
    expect(secretsOf(session).services).toEqual(new Set(['B']))
  })
  test('survive other edits', () => {
    const session = createSession(madeUpAddress(''))
    openScenario(session, mystery(7000))
    expect(edit(session, (scenario) => setOptions(scenario, { seed: 9 }))).toEqual([])
    expect(secretsOf(session).all).toEqual([policy, ofB])
  })
})

describe('a comparison of a scenario that hides its policy', () => {
  test('does not choose that policy by itself, and under another policy does not hide it', () => {
    const scenario = mystery(7000)
    expect(firstChoice(scenario)).not.toContain('dean')
    expect(firstChoice(withoutHidden(scenario, policy))[0]).toBe('dean')
    const adams = underPolicy(scenario, 'adams')
    expect(adams).toMatchObject({ scenario: { policy: { kind: 'adams' }, hidden: [ofB] } })
    expect(underPolicy(scenario, 'dean')).toEqual({ scenario })
  })

  test('recognises a run after the reveal', () => {
    const scenario = mystery(7000)
    expect(comparisonKey(withoutHidden(scenario, policy))).toBe(comparisonKey(scenario))
    expect(comparisonKey(mystery(7001))).not.toBe(comparisonKey(scenario))
  })
})
