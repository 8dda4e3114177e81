import { beforeEach, describe, expect, test } from 'vitest'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { scenarioStore, undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { applyGains, gainsOf, tuningKey, tuningStudy } from '../../../../src/features/pools/page/tuning.ts'
import { isPid } from '../../../../src/features/pools/study/gainSearch.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { PATIENCE, threadsHere } from '../../../fixtures/threadsHere.ts'

const threads = threadsHere()

const pool = {
  version: 1,
  source: { kind: 'sine', max: 40, every: 100_000, duration: 1_000_000 },
  stages: [{ id: 'A', service: { kind: 'constant', mean: 25_000 } }],
  workers: 20,
  policy: { kind: 'pid', kp: 1, ki: 0.05, kd: 0, every: 10_000, setpoint: 0, up: -100, down: -20 },
}

let session: Session
const scenario = () => scenarioStore(session).getState().scenario
const state = () => tuningStudy(session).store.getState()
const tuning = () => state().found ?? expect.fail('nothing is searched')
const begin = () => {
  const now = scenario()
  if (isPid(now)) void tuningStudy(session).start(now)
}

beforeEach(() => {
  session = createSession()
  openScenario(session, valid(pool))
})

describe('a search for gains', () => {
  test('plays the first gains and draws a map; choosing gains is one step of undo and keeps the results', async () => {
    begin()
    await expect.poll(() => tuning().named[0].use, PATIENCE).not.toBeNull()
    tuningStudy(session).stop()
    const { grid, named, kd } = tuning()
    expect(named[0].name).toBe('At the start')

    const gains = gainsOf(grid ?? expect.fail('no map'), kd, (grid?.kp.length ?? 0) - 1)
    applyGains(session, gains)
    expect(scenario().policy).toMatchObject(gains)
    expect(tuningKey(scenario())).toBe(state().key)
    undo(session)
    expect(scenario().policy).toMatchObject({ kp: 1, ki: 0.05 })
    expect(tuningKey(scenario())).toBe(state().key)
  })

  test('finds gains for an adaptive controller too, which stays adaptive when they are taken', async () => {
    openScenario(session, valid({ ...pool, policy: { ...pool.policy, kind: 'adaptive', tunedAt: 10_000 } }))
    begin()
    await expect.poll(() => tuning().named[0].use, PATIENCE).not.toBeNull()
    tuningStudy(session).stop()
    applyGains(session, { kp: 3, ki: 0.2, kd: 0.1 })
    expect(scenario().policy).toMatchObject({ kind: 'adaptive', tunedAt: 10_000, kp: 3, ki: 0.2, kd: 0.1 })
    expect(tuningKey(scenario())).toBe(state().key)
  })

  test('reports a load that cannot be steady, and leaves no thread when it is stopped', async () => {
    openScenario(session, valid({ ...pool, source: { kind: 'batch', jobs: 2000 } }))
    begin()
    await expect.poll(() => tuning().named[0].use, PATIENCE).not.toBeNull()
    expect(tuning().ultimate).toMatchObject({ kind: expect.not.stringMatching('found') })
    tuningStudy(session).stop()
    expect(tuning().grid).not.toBeNull()
    await expect.poll(() => threads.open.size, PATIENCE).toBe(0)
  })
})
