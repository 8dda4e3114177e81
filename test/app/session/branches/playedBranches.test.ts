import { beforeEach, describe, expect, test } from 'vitest'
import { runOf, turnTo } from '../../../../src/app/session/branches/branchRuns.ts'
import { differencesOf } from '../../../../src/app/session/branches/branchWords.ts'
import { forkAtPlayhead, seek } from '../../../../src/app/session/page/playhead.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { playback } from '../../../../src/app/session/run/playback.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { start } from '../../../../src/app/session/run/startStop.ts'
import { editOrShowProblems, scenarioStore } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { setPolicy, setStage, setWorkers } from '../../../../src/scenario/edit/edits.ts'
import { readFragment, toShortFragment } from '../../../../src/scenario/link/codec.ts'
import { endOf } from '../../../../src/trace/trace.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { endingOf, PATIENCE, playOut, threadsHere } from '../../../fixtures/threadsHere.ts'
import { digestOf } from '../../../trace/digestOf.ts'

threadsHere()

const original = valid({
  version: 1,
  source: { kind: 'batch', jobs: 200 },
  stages: [
    { id: 'A', service: { kind: 'exponential', mean: 3000 } },
    {
      id: 'B',
      service: { kind: 'exponential', mean: 6000 },
      changes: [{ from: 190, service: { kind: 'exponential', mean: 9000 } }],
    },
  ],
  workers: 4,
})

let session: Session
const now = () => scenarioStore(session).getState()
const status = () => runStore(session).getState().status()
const fork = async () => {
  const { shown, whole } = now()
  forkAtPlayhead(session)
  await expect.poll(() => now().whole.branches.length, PATIENCE).toBe(whole.branches.length + 1)
  return shown
}

beforeEach(() => {
  session = createSession()
  openScenario(session, original)
})

describe('a run that was played', () => {
  test('is forked in the middle: the branch continues differently, and both keep their runs', async () => {
    const run = await playOut(session)
    const ending = endingOf(session)
    expect(ending).toMatch(/^Finished: 200 of 200 jobs/)
    seek(session, endOf(run.trace) * 0.4)
    const { time } = playback(session)
    await fork()
    editOrShowProblems(session, (draft) => setPolicy(draft, 'jefferson'))
    editOrShowProblems(session, (draft) => setWorkers(draft, 6))
    editOrShowProblems(session, (draft) => setStage(draft, 'B', { changes: [] }))
    expect(differencesOf(now().whole, 0)).toEqual(['Jefferson', '6 workers', 'B'])
    await start(session)
    expect(playback(session).time).toBe(time)
    await expect.poll(() => runStore(session).getState().phase, PATIENCE).toBe('ended')
    const branched = endingOf(session)
    expect(branched).toMatch(/^Finished: 200 of 200 jobs/)
    expect(branched).not.toBe(ending)
    await turnTo(session, null)
    expect([status(), now().draft.workers]).toEqual([ending, 4])
    await turnTo(session, 0)
    expect([status(), now().draft.workers]).toEqual([branched, 6])
  })

  test('shares one link with its branch, and both are reproduced exactly', async () => {
    const run = await playOut(session)
    seek(session, endOf(run.trace) / 2)
    await fork()
    editOrShowProblems(session, (draft) => setWorkers(draft, 6))
    const branched = await playOut(session)
    const read = readFragment(toShortFragment(now().whole))
    const elsewhere = createSession()
    openScenario(elsewhere, read.found === 'scenario' ? read.scenario : expect.fail('the link cannot be read'))
    const there = () => scenarioStore(elsewhere).getState()
    expect(there()).toMatchObject({ shown: null, draft: { workers: 4 } })
    expect(digestOf((await playOut(elsewhere)).trace)).toBe(digestOf(run.trace))
    await turnTo(elsewhere, 0)
    // It begins with the run of the original.
    expect(playback(elsewhere).time).toBe(there().whole.branches[0].at)
    expect(there().draft.workers).toBe(6)
    expect(digestOf((await playOut(elsewhere)).trace)).toBe(digestOf(branched.trace))
    expect(runOf(elsewhere, original)?.trace.ending).toBe('drained')
  })

  test('is stopped when it is forked while running', async () => {
    openScenario(session, valid({ ...original, source: { kind: 'batch', jobs: 300_000 } }))
    await start(session)
    await expect
      .poll(() => endOf(runStore(session).getState().run?.trace ?? expect.fail('no run')), PATIENCE)
      .toBeGreaterThan(500_000)
    playback(session).time = 500_000
    await fork()
    await expect.poll(status, PATIENCE).toMatch(/^Stopped: [\d,]+ of 300,000 jobs/)
    expect(playback(session)).toMatchObject({ time: 500_000, playing: false, following: false })
    expect(now().whole.branches[0].at).toBe(500_000)
  })
})
