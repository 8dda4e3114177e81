import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'
import { packFrame, unpackFrame } from '../../../../src/features/room/protocol/frame.ts'
import { packDown, packPresence, packUp } from '../../../../src/features/room/protocol/messages.ts'
import { readDown, readPresence, readUp } from '../../../../src/features/room/protocol/readMessages.ts'
import { rowsOf } from '../../../engine/threads/runRecording.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { MadeUpRoom } from './madeUpRoom.ts'
import { expectServedOnce } from './servedOnce.ts'

const second = 1_000_000
const scenario = scenarioWith({
  source: { kind: 'batch', jobs: 100 },
  stages: [{ id: 'A', work: 'wait', service: { kind: 'constant', mean: 50_000 } }],
  workers: 2,
})
const presence = { life: 'x1', connection: 1, name: 'Phone', build: 'b', threads: 2, lacks: [], roundTrip: null }
const named = (name: string) => readPresence(packPresence({ ...presence, name, build: name, lacks: [name] }))

describe('a device that sends unreadable messages', () => {
  test.each([
    ['up', 'noise', Uint8Array.of(1, 2, 3)],
    ['up', 'a message of no kind', packFrame({ kind: 'boo', seat: 0, conductor: 'c' }, [])],
    ['is', 'an introduction without threads', packPresence({ ...presence, threads: 0 })],
  ] as const)('on %s, %s, is lost and gets nothing more', async (kind, _, bytes) => {
    const room = new MadeUpRoom()
    for (const device of ['a', 'b']) room.join(device)
    const run = await room.play(scenario, [
      [second, () => room.device('b').carrier.publish(deviceTopic('R', 'b', kind), bytes)],
    ])
    expectServedOnce(run, 100)
    expect(run.failures.map(({ reason }) => reason)).toEqual(['sent an unreadable message: b'])
    expect(rowsOf(run.trace, 'joined')).toEqual([])
    expect(room.device('b').threads).toHaveLength(1)
  })

  test('does no harm to a device: it continues after any message', async () => {
    const room = new MadeUpRoom()
    room.join('a')
    const stranger = room.broker.connect('hostile')
    const run = room.begin(scenario)
    const noise = fc.sample(fc.uint8Array({ maxLength: 80 }), { numRuns: 300, seed: 7 })
    const orders = [
      packDown({ kind: 'end', seat: 0, conductor: '0' }),
      packDown({ kind: 'keep', seat: 9, keep: [], conductor: '0' }),
      packDown({ kind: 'hello', seat: 0, worker: 7, keep: [], stages: [], conductor: '0' }),
      packFrame({ kind: 'hello', seat: -1, worker: 1e9, keep: 'all', stages: {}, conductor: 'zzzz' }, []),
    ]
    await room.until(() => room.time.passed > run.startedAt() + second)
    for (const bytes of [...noise, ...orders]) stranger.publish(deviceTopic('R', 'a', 'down'), bytes)
    await room.until(run.over)
    expectServedOnce(run, 100)
    // The worker of number 2 is missing from the start.
    expect(rowsOf(run.trace, 'lost')).toHaveLength(1)
  })
})

describe('the name of a device', () => {
  const bidi = '\u202e\u2066\u200f'
  const controls = '\u0000\u0007\u001b[31m\u007f\u0085\r\n\u2028'
  test.each([
    [`evil${bidi}exe.txt`, 'evil exe.txt'],
    [`a${controls}b`, 'a [31m b'],
    ['\ud800 half a letter', 'half a letter'],
    ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
    ['\u200b\ufeff\u00ad', ''],
  ])('%j is shown as %j', (name, as) => {
    expect(named(name)).toMatchObject({ name: as, build: as, lacks: [as] })
  })

  test('always has one line of visible text', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0x10ffff), { maxLength: 400 }), (codes) => {
        const shown = named(String.fromCodePoint(...codes))?.name ?? ''
        expect([...shown].length).toBeLessThanOrEqual(200)
        expect(shown).not.toMatch(/\p{C}|[\p{Zl}\p{Zp}]/u)
        expect(shown).toBe(shown.trim())
      }),
      { numRuns: repeats(60) },
    )
  })
})

test('a message with any field changed is read as another one or not at all: nothing throws', () => {
  const seat = { seat: 3, conductor: 'c1' }
  const batch = {
    work: 'sha256',
    stage: 1,
    switchCosts: [0],
    jobs: [5],
    services: [9],
    failing: [],
    payloads: ['text'],
  } as const
  const reply = { began: 5, ended: [9], threw: null, payloads: [Uint8Array.of(1)] }
  const good = [
    packPresence(presence),
    packDown({ kind: 'hello', ...seat, worker: 2, keep: [1], stages: [{ name: 'A', colour: 0 }] }),
    packDown({ kind: 'batch', ...seat, number: 0, batch }),
    packUp({ kind: 'answer', ...seat, number: 0, reply }),
    packUp({
      kind: 'answer',
      ...seat,
      number: 0,
      reply: { began: 5, ended: [], threw: { job: 5, reason: 'r' }, payloads: null },
    }),
    packUp({ kind: 'gone', ...seat, words: 'w' }),
  ]
  const frames = good.map((bytes) => unpackFrame(bytes)).filter((frame) => frame !== null)
  expect(frames).toHaveLength(good.length)
  fc.assert(
    fc.property(fc.constantFrom(...frames), fc.nat(20), fc.jsonValue(), fc.nat(4), (frame, field, value, dropped) => {
      const head = { ...(frame.head as Record<string, unknown>) }
      const keys = Object.keys(head)
      head[keys[field % keys.length]] = value
      const bytes = packFrame(head, frame.columns.slice(0, Math.max(0, frame.columns.length - dropped)))
      for (const read of [readPresence, readDown, readUp]) expect(() => read(bytes)).not.toThrow()
    }),
    { numRuns: repeats(3000) },
  )
})
