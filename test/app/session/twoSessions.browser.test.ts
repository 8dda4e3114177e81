import { expect, test } from 'vitest'
import { openScenario } from '../../../src/app/session/run/opening.ts'
import { runStore } from '../../../src/app/session/run/runStore.ts'
import { start } from '../../../src/app/session/run/startStop.ts'
import { createSession, type Session } from '../../../src/app/session/session.ts'
import { valid } from '../../fixtures/anyScenario.ts'

const runOf = (session: Session) => runStore(session).getState().run
const phaseOf = (session: Session) => runStore(session).getState().phase
const patience = { timeout: 60_000 }

test('a session that ends stops its run, and the other continues', async () => {
  const slow = valid({
    version: 1,
    source: { kind: 'batch', jobs: 5000 },
    stages: [{ id: 'A', service: { kind: 'constant', mean: 20_000 }, work: 'wait' }],
    workers: 2,
  })
  const [a, b] = [createSession(), createSession()]
  for (const session of [a, b]) openScenario(session, slow, 'threads')
  await Promise.all([start(a), start(b)])
  for (const session of [a, b]) await expect.poll(() => runOf(session)?.trace.length ?? 0, patience).toBeGreaterThan(0)
  const ended = runOf(a)
  a.end()
  await expect.poll(() => ended?.trace.ending, patience).toBe('stopped')
  expect(phaseOf(b)).toBe('running')
  b.end()
  await expect.poll(() => runOf(b)?.trace.ending, patience).toBe('stopped')
})
