import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ThreadsListener } from '../../../../src/engine/conductor/conductedRun.ts'
import { pageEnvironment } from '../../../../src/engine/threads/pageEnvironment.ts'
import { replay } from '../../../../src/features/replay/study/replay.ts'
import { openCarrier } from '../../../../src/features/room/brokerClient/openCarrier.ts'
import { createRoomEngine } from '../../../../src/features/room/protocol/roomEngine.ts'
import type { Scenario } from '../../../../src/scenario/model/scenario.ts'
import { countJobs } from '../../../../src/scenario/model/sources.ts'
import { append, createTrace, type Trace } from '../../../../src/trace/trace.ts'
import { repository } from '../../../architecture/sources.ts'
import { rowsOf } from '../../../engine/threads/runRecording.ts'
import { runScript } from '../../../fixtures/commandHere.ts'
import { inFull } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { hostToken, joinToken, type RoomHere, roomHere } from './roomHere.ts'

const lenders: ChildProcess[] = []
let room: RoomHere

beforeAll(async () => {
  room = await roomHere()
})

afterAll(async () => {
  for (const lender of lenders) lender.kill('SIGKILL')
  await room.end()
})

/** Starts the command and waits until it says that it is in the room. */
async function lender(threads: number): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['scripts/lend.mjs', `${room.page}join.html#room=R.${joinToken}`, '--threads', String(threads)],
    {
      cwd: repository,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  lenders.push(child)
  await printsWords(child, 'In room R')
  return child
}

function printsWords(child: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (text) => String(text).includes(words) && resolve())
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)))
  })
}

const JOBS = inFull ? 600 : 100
const sixThreads = scenarioWith({
  source: { kind: 'batch', jobs: JOBS },
  stages: ['A', 'B', 'C'].map((id) => ({ id, work: 'wait', service: { kind: 'uniform', min: 5000, max: 20_000 } })),
  workers: 6,
})

// The lenders of one test serve the next as well, since a process takes a second to start.
test('of four processes that lend two threads each one is killed during the run: a thread in reserve joins, and every service is done once', async () => {
  const [first] = await Promise.all([lender(2), lender(2), lender(2), lender(2)])
  const { trace, endings } = await playedHere(sixThreads, async () => first.kill('SIGKILL'))
  expect(endings).toEqual(['drained'])
  expectOnce(trace, JOBS)
  expect(rowsOf(trace, 'lost').length).toBeGreaterThanOrEqual(1)
  expect(rowsOf(trace, 'joined').length).toBeGreaterThanOrEqual(1)
}, 120_000)

test.runIf(inFull)(
  'the broker is killed during the run and is back after a second: no worker is given up, and every service is done once',
  async () => {
    const { trace, endings, failures } = await playedHere(sixThreads, () => room.restart(1000))
    expect(endings).toEqual(['drained'])
    // A worker whose device is listed late is absent at time 0, and joins.
    expect([failures, rowsOf(trace, 'lost').filter(({ time }) => time > 0)]).toEqual([[], []])
    expectOnce(trace, JOBS)
  },
  120_000,
)

test('real work on records is done in a room and checked, down to the checksum of the output', async () => {
  const stages = (['parseJson', 'sha256', 'gzip'] as const).map((work) => ({
    id: work,
    work,
    service: { kind: 'constant', mean: 1000 },
  }))
  const scenario = scenarioWith({
    source: { kind: 'batch', jobs: 40 },
    stages,
    workers: 2,
    order: { kind: 'buffer', slots: 40 },
  })
  const { digest, endings, failures } = await playedHere(scenario)
  expect([digest, endings, failures]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), ['drained'], []])
  expect((await playedHere(scenario)).digest).toBe(digest)
}, 60_000)

test('a lender that gets SIGINT leaves the room and ends with status 0; an incomplete link is refused with a reason', async () => {
  const [, child] = lenders
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  expect(await ended).toBe(0)
  const { status, err } = await runScript('lend', `${room.page}join.html#room=R.`)
  expect(status).toBe(1)
  expect(err).toMatch(/token of the room is incomplete/)
}, 60_000)

/** Plays the scenario in the room, and calls `midway` when half of its jobs have their first service. */
async function playedHere(scenario: Scenario, midway: () => Promise<unknown> = async () => {}) {
  const trace = createTrace(scenario, 'room', 0)
  const endings: string[] = []
  let digest: string | null = null
  const engine = createRoomEngine(
    { broker: room.broker, room: 'R', role: 'host', token: hostToken },
    openCarrier,
    pageEnvironment(),
  )
  const listener: ThreadsListener = {
    journal: (journal) => append(trace, journal),
    failure: (failure) => trace.failures.push(failure),
    output: ({ sha256 }) => {
      digest = sha256
    },
    ended: (ending) => endings.push(ending),
  }
  const run = engine.start(scenario, listener)
  await expect
    .poll(() => rowsOf(trace, 'finished').length, { timeout: 60_000 })
    .toBeGreaterThan(countJobs(scenario.source) / 2)
  await midway()
  await run
  return { trace, endings, failures: trace.failures, digest: digest as string | null }
}

function expectOnce(trace: Trace, jobs: number): void {
  const services = rowsOf(trace, 'finished').map(({ stage, job }) => `${stage} ${job}`)
  expect(services).toHaveLength(jobs * trace.scenario.stages.length)
  expect(new Set(services).size).toBe(services.length)
  trace.ending = 'drained'
  expect(replay(trace).difference).toBeNull()
}
