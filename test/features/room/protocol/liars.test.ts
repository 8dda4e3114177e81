import { describe, expect, test } from 'vitest'
import type { BatchOrder, Reply } from '../../../../src/engine/conductor/batchPort.ts'
import { packFrame, unpackFrame } from '../../../../src/features/room/protocol/frame.ts'
import { rowsOf } from '../../../engine/threads/runRecording.ts'
import { inFull } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { type Coming, MadeUpRoom } from './madeUpRoom.ts'
import { expectServedOnce } from './servedOnce.ts'

type Lie = NonNullable<Coming['answer']>
const throwing = (at: (jobs: readonly number[]) => number | undefined): Lie => {
  return ({ jobs }, { began }) => ({
    reply: { began, ended: [], threw: { job: at(jobs) ?? 0, reason: 'made up' }, payloads: null },
  })
}
const honest: Lie = (_: BatchOrder, reply: Reply) => ({ reply })

const lies: Readonly<Record<string, Lie>> = {
  'throws at the first job': throwing((jobs) => jobs[0]),
  'throws at the last job': throwing((jobs) => jobs.at(-1)),
  'throws at a job that does not exist': throwing(() => 99_999),
  'breaks down': () => ({ broken: 'made up' }),
}

const works = {
  wait: {
    source: { kind: 'batch', jobs: 100 },
    stages: [{ id: 'A', work: 'wait', service: { kind: 'constant', mean: 5000 } }],
  },
  parseJson: {
    source: { kind: 'batch', jobs: 100 },
    stages: [{ id: 'A', work: 'parseJson', service: { kind: 'constant', mean: 5000 } }],
  },
}

/** Four devices with two threads each, of which one lies from its third batch on. */
async function played(work: keyof typeof works, lie: Lie, seed: number) {
  const scenario = scenarioWith({ ...works[work], workers: 8, batch: { size: 1 + (seed % 3), inHand: 1 + (seed % 2) } })
  const room = new MadeUpRoom(seed)
  let served = 0
  const liar: Lie = (order, reply) => (++served > 2 ? lie(order, reply) : { reply })
  for (const [k, answer] of [honest, honest, liar, honest].entries())
    room.join(`d${k}`, 2, { name: k === 2 ? 'Liar' : `Honest ${k}`, answer })
  return room.play(scenario)
}

const seeds = Array.from({ length: inFull ? 12 : 1 }, (_, seed) => seed + 1)

describe.each(Object.keys(works) as (keyof typeof works)[])('one of four devices lies, at %s', (work) => {
  test.each(Object.keys(lies))('and %s: no job fails, and the liar is lost by name', async (lie) => {
    for (const seed of seeds) {
      const run = await played(work, lies[lie], seed)
      expectServedOnce(run, 100)
      expect(rowsOf(run.trace, 'threw')).toEqual([])
      expect(run.failures.length).toBeGreaterThan(0)
      for (const { reason } of run.failures)
        expect(reason).toMatch(
          /^(gave a wrong result|failed at work that others can do|sent an unreadable message): Liar$/,
        )
    }
  })
})

describe('a device that replays messages', () => {
  test.each(['of an earlier run', 'of this run', 'of another device'])(
    '%s changes nothing: every job is served once',
    async (which) => {
      for (const seed of seeds) {
        const room = new MadeUpRoom(seed)
        const recorded: (readonly [string, Uint8Array])[] = []
        const record = (topic: string, bytes: Uint8Array) => {
          recorded.push([topic, bytes.slice()])
          return bytes
        }
        room.join('good', 2, {
          name: 'good',
          answer: honest,
          ...(which === 'of another device' && { altered: record }),
        })
        const replayer = room.join('bad', 2, {
          name: 'bad',
          answer: honest,
          ...(which !== 'of another device' && { altered: record }),
        })
        const scenario = scenarioWith({ ...works.parseJson, workers: 4 })
        if (which === 'of an earlier run') expectServedOnce(await room.play(scenario), 100)
        const replayAll = () => {
          // In its own name: the broker carries no other.
          for (const [topic, bytes] of recorded.slice())
            if (topic.endsWith('/up')) replayer.carrier.publish(topic.replace('/good/', '/bad/'), bytes)
        }
        const run = await room.play(
          scenario,
          [20_000, 60_000, 110_000].map((at) => [at, replayAll] as const),
        )
        expect(recorded.length).toBeGreaterThan(10)
        expectServedOnce(run, 100)
        expect(run.failures).toEqual([])
      }
    },
  )
})

describe('a device of another version', () => {
  const told = (room: MadeUpRoom, change: (head: Record<string, unknown>) => object) =>
    room.join('old', 2, {
      name: 'old',
      answer: honest,
      altered(topic, bytes) {
        const frame = bytes.length === 0 ? null : unpackFrame(bytes)
        if (frame === null) return bytes
        return packFrame(
          change({ ...(frame.head as object), ...(topic.endsWith('/is') && { build: 'older' }) }),
          frame.columns,
        )
      },
    })

  test.each<[string, (head: Record<string, unknown>) => object]>([
    ['that says more', (head) => ({ ...head, more: { of: ['it'] } })],
    ['that knows no round trip', ({ roundTrip: _, ...head }) => head],
  ])('%s serves with the others', async (_, change) => {
    const room = new MadeUpRoom()
    told(room, change)
    room.join('new', 2, { name: 'new', answer: honest })
    const run = await room.play(scenarioWith({ ...works.parseJson, workers: 4 }))
    expectServedOnce(run, 100)
    expect([run.failures, room.device('old').states.at(-1)?.done]).toEqual([
      [],
      expect.toSatisfy((done: number) => done > 10),
    ])
  })

  test.each<[string, Lie, string]>([
    [
      'whose kernel gives something else',
      (_, reply) => ({ reply: { ...reply, payloads: reply.payloads?.map(() => ({ record: null })) ?? null } }),
      'gave a wrong result: old',
    ],
    ['that lacks a kernel', () => ({ broken: 'kernel is not a function' }), 'failed at work that others can do: old'],
  ])('%s is lost by name, and no job fails', async (_, answer, reason) => {
    const room = new MadeUpRoom()
    room.join('old', 2, { name: 'old', answer })
    room.join('new', 2, { name: 'new', answer: honest })
    const run = await room.play(scenarioWith({ ...works.parseJson, workers: 4 }))
    expectServedOnce(run, 100)
    expect(run.failures.map((failure) => failure.reason)).toEqual([reason, reason])
  })
})
