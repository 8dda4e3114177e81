import { describe, expect, test } from 'vitest'
import type { BatchOrder, Reply } from '../../../../src/engine/conductor/batchPort.ts'
import { isTile } from '../../../../src/engine/work/kernels.ts'
import { packFrame, unpackFrame } from '../../../../src/features/room/protocol/frame.ts'
import { rowsOf } from '../../../engine/threads/runRecording.ts'
import { createChance } from '../../../fixtures/chance.ts'
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
/** A picture of the right form. Its checksum is that of what the liar sent. */
const forged: Lie = ({ work }, reply) => {
  if (work !== 'mandelbrot') return { reply }
  const payloads = (reply.payloads ?? []).map((tile) =>
    isTile(tile) ? { ...tile, counts: tile.counts?.map((count) => count + 1) ?? null } : tile,
  )
  return { reply: { ...reply, payloads } }
}
const honest: Lie = (_: BatchOrder, reply: Reply) => ({ reply })

const lies: Readonly<Record<string, Lie>> = {
  'throws at the first job': throwing((jobs) => jobs[0]),
  'throws at the last job': throwing((jobs) => jobs.at(-1)),
  'throws at a job that does not exist': throwing(() => 99_999),
  'breaks down': () => ({ broken: 'made up' }),
}

const image = { kind: 'image', width: 128, height: 128, tile: 16, x: -0.6, y: 0.1, span: 3.2, iterations: 30 }
const works = {
  wait: {
    source: { kind: 'batch', jobs: 100 },
    stages: [{ id: 'A', work: 'wait', service: { kind: 'constant', mean: 5000 } }],
  },
  parseJson: {
    source: { kind: 'batch', jobs: 100 },
    stages: [{ id: 'A', work: 'parseJson', service: { kind: 'constant', mean: 5000 } }],
  },
  mandelbrot: {
    source: image,
    stages: ['mandelbrot', 'colour'].map((work) => ({ id: work, work, service: { kind: 'constant', mean: 5000 } })),
  },
}

/** Four devices with two threads each, of which one lies from its third batch on. */
async function played(work: keyof typeof works, lie: Lie, seed: number, verify = 1) {
  const scenario = scenarioWith({ ...works[work], workers: 8, batch: { size: 1 + (seed % 3), inHand: 1 + (seed % 2) } })
  const room = new MadeUpRoom(seed)
  let served = 0
  const liar: Lie = (order, reply) => (++served > 2 ? lie(order, reply) : { reply })
  for (const [k, answer] of [honest, honest, liar, honest].entries())
    room.join(`d${k}`, 2, { name: k === 2 ? 'Liar' : `Honest ${k}`, answer })
  return room.play(scenario, [], undefined, verify)
}

const seeds = Array.from({ length: inFull ? 12 : 2 }, (_, seed) => seed + 1)
const jobsOf = (work: keyof typeof works) => (work === 'mandelbrot' ? 64 : 100)

describe.each(Object.keys(works) as (keyof typeof works)[])('one of four devices lies, at %s', (work) => {
  test.each(Object.keys(lies))('and %s: no job fails, and the liar is lost by name', async (lie) => {
    for (const seed of seeds) {
      const run = await played(work, lies[lie], seed)
      expectServedOnce(run, jobsOf(work))
      expect(rowsOf(run.trace, 'threw')).toEqual([])
      expect(run.failures.length).toBeGreaterThan(0)
      for (const { reason } of run.failures)
        expect(reason).toMatch(
          /^(gave a wrong result|failed at work that others can do|sent an unreadable message): Liar$/,
        )
    }
  })
})

test.each([2, 3])(
  'a forged picture is found where %i devices do the work, and no other device is lost',
  async (verify) => {
    for (const seed of seeds) {
      const [right, run] = [await played('mandelbrot', honest, seed), await played('mandelbrot', forged, seed, verify)]
      expectServedOnce(run, 64)
      expect(run.failures.map(({ reason }) => reason)).toEqual(run.failures.map(() => 'gave a wrong result: Liar'))
      expect(run.failures.length).toBeGreaterThan(0)
      const pixels = ({ tiles }: typeof run) => Object.fromEntries(tiles.map(({ job, pixels }) => [job, [...pixels]]))
      expect(pixels(run)).toEqual(pixels(right))
    }
  },
)

test('in random rooms that check pictures, where devices lie, leave and come and messages are lost, every picture is right and only liars are lost for it', async () => {
  const right = await played('mandelbrot', honest, 1)
  const pixelsOf = ({ tiles }: typeof right) => Object.fromEntries(tiles.map(({ job, pixels }) => [job, [...pixels]]))
  let found = 0
  for (let seed = 100; seed < (inFull ? 140 : 110); seed++) {
    const chance = createChance(seed)
    const room = new MadeUpRoom(seed)
    const losses = chance.pick([0, 1, 4])
    room.ways = () =>
      chance.percent(losses) ? [] : chance.percent(losses) ? [room.way, 5 * room.way] : [room.way + chance.below(2000)]
    const join = (name: string) => {
      // Three devices stay and are honest: there is always one to ask.
      const isLiar = !name.startsWith('stays') && chance.percent(50)
      const lie: Lie = chance.pick([forged, forged, lies['breaks down'], lies['throws at the first job']])
      room.join(name, 1 + chance.below(2), {
        name: `${name}${isLiar ? 'Liar' : ''}`,
        answer: (...asked) => (isLiar && chance.percent(60) ? lie(...asked) : honest(...asked)),
      })
    }
    for (let k = 0; k < 3; k++) join(`stays${k}`)
    const others = Array.from({ length: chance.between(1, 3) }, (_, k) => `other${k}`)
    const due: (readonly [number, () => void])[] = []
    for (const name of others) {
      if (chance.percent(60)) join(name)
      else due.push([chance.below(200_000), () => join(name)])
      if (chance.percent(40))
        due.push([200_000 + chance.below(200_000), () => room.devices.has(name) && room.kill(name)])
    }
    const scenario = scenarioWith({
      ...works.mandelbrot,
      workers: 6,
      batch: { size: chance.between(1, 3), inHand: chance.pick([1, 2] as const) },
    })
    const run = await room.play(scenario, due, undefined, chance.between(2, 4))
    expectServedOnce(run, 64)
    expect([seed, pixelsOf(run)]).toEqual([seed, pixelsOf(right)])
    const caught = run.failures.filter(({ reason }) => /wrong result|that others can do|unreadable/.test(reason))
    for (const { reason } of caught) expect([seed, reason]).toEqual([seed, expect.stringContaining('Liar')])
    found += caught.length
  }
  expect(found).toBeGreaterThan(0)
})

test('each of two devices does every picture once, also where more than two are asked for', async () => {
  const room = new MadeUpRoom()
  const served: string[] = []
  for (const device of ['a', 'b'])
    room.join(device, 2, {
      name: device,
      answer(order, reply) {
        served.push(...order.jobs.map((job) => `${device} ${order.work} ${job}`))
        return { reply }
      },
    })
  const run = await room.play(scenarioWith({ ...works.mandelbrot, workers: 4 }), [], undefined, 5)
  expectServedOnce(run, 64)
  expect([served.length, new Set(served).size]).toEqual([2 * 2 * 64, 2 * 2 * 64])
})

test('jobs that are declared to fail do so on every device, and no device is lost for it', async () => {
  const stage = { id: 'A', work: 'wait', service: { kind: 'constant', mean: 5000 }, fails: { jobs: [3, 50], tries: 2 } }
  const room = new MadeUpRoom()
  for (let k = 0; k < 3; k++) room.join(`d${k}`, 1, { answer: honest })
  const run = await room.play(scenarioWith({ ...works.wait, stages: [stage], workers: 3 }))
  expect(rowsOf(run.trace, 'failed').map(({ job }) => job)).toEqual([3, 50])
  expect(run.failures.filter(({ kind }) => kind === 'worker')).toEqual([])
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
