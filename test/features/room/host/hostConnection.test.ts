import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { carryRounds, roundStore } from '../../../../src/features/room/host/hostQuestion.ts'
import { openRoom, roomStore } from '../../../../src/features/room/host/hostRoom.ts'
import { distinctName } from '../../../../src/features/room/host/roomWords.ts'
import { createAnswering } from '../../../../src/features/room/join/joining.ts'
import { allTopic, type Carrier, deviceTopic, fullTopic } from '../../../../src/features/room/protocol/carrier.ts'
import { packFrame } from '../../../../src/features/room/protocol/frame.ts'
import { packPresence } from '../../../../src/features/room/protocol/messages.ts'
import { type RoomRound, type RoundAnswer, readAnswer } from '../../../../src/features/room/protocol/rounds.ts'

const address = { broker: '', room: 'R', role: 'host', token: '' } as const
const question: RoomRound = {
  round: 'r1',
  open: true,
  question: { kind: 'peak', stage: { name: 'B', colour: 1 }, most: 8 },
  right: null,
}

let session: Session
beforeEach(() => {
  vi.useFakeTimers()
  session = createSession()
})
afterEach(() => {
  session.end()
  vi.useRealTimers()
})
const settled = () => vi.advanceTimersByTimeAsync(0)

/** A connection that is this test. */
function connection() {
  const published: { readonly topic: string; readonly bytes: Uint8Array; readonly retain: boolean }[] = []
  const heard: { readonly filter: string; readonly call: (topic: string, bytes: Uint8Array) => void }[] = []
  const states: ((up: boolean) => void)[] = []
  let ended = 0
  const carrier: Carrier = {
    publish: (topic, bytes, retain = false) => void published.push({ topic, bytes, retain }),
    subscribe: (filter, call) => void heard.push({ filter, call }),
    onState(call) {
      states.push(call)
      call(true)
    },
    end: () => void ended++,
  }
  const hear = (filter: string, topic: string, bytes: Uint8Array) => {
    for (const one of heard) if (one.filter === filter) one.call(topic, bytes)
  }
  return {
    ...{ carrier, published, hear },
    ended: () => ended,
    change(up: boolean) {
      for (const call of states) call(up)
    },
    is: (id: string, threads = 1, name = id, roundTrip: number | null = null) =>
      hear(
        deviceTopic('R', '+', 'is'),
        deviceTopic('R', id, 'is'),
        packPresence({ life: 'l', connection: 1, name, build: '', threads, lacks: [], roundTrip }),
      ),
    goes: (id: string) => hear(deviceTopic('R', '+', 'is'), deviceTopic('R', id, 'is'), new Uint8Array(0)),
    says: (id: string, answer: RoundAnswer) =>
      hear(deviceTopic('R', '+', 'says'), deviceTopic('R', id, 'says'), packFrame(answer)),
    all: (round: RoomRound | null) =>
      hear(allTopic('R'), allTopic('R'), round === null ? new Uint8Array(0) : packFrame(round)),
  }
}

describe('the page of a host', () => {
  test('tries again every three seconds until the broker answers, and says why it did not', async () => {
    const { carrier } = connection()
    let tries = 0
    openRoom(session, address, async () => {
      if (++tries < 3) throw new Error(`no ${tries}`)
      return carrier
    })
    await settled()
    expect(roomStore(session).getState()).toMatchObject({ link: 'down', problem: 'no 1' })
    await vi.advanceTimersByTimeAsync(2999)
    expect(tries).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(roomStore(session).getState().problem).toBe('no 2')
    await vi.advanceTimersByTimeAsync(3000)
    expect([tries, roomStore(session).getState()]).toEqual([3, expect.objectContaining({ link: 'up', problem: null })])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(tries).toBe(3)
  })

  test('forgets its devices when the connection comes back, since some may have left, and knows their numbers', async () => {
    const { carrier, is, goes, change } = connection()
    openRoom(session, address, async () => carrier)
    await settled()
    const devices = () =>
      roomStore(session)
        .getState()
        .devices.map(({ id, number }) => `${id} ${number}`)
    is('a')
    is('b')
    goes('a')
    is('c')
    is('a')
    expect(devices()).toEqual(['b 2', 'c 3', 'a 1'])
    change(false)
    expect([devices().length, roomStore(session).getState().link]).toEqual([3, 'down'])
    change(true)
    expect([devices(), roomStore(session).getState().link]).toEqual([[], 'up'])
    is('c')
    is('d')
    expect(devices()).toEqual(['c 3', 'd 4'])
    // It was up already.
    change(true)
    expect(devices()).toHaveLength(2)
  })

  test('can start a run as soon as one thread is lent, and counts all of them', async () => {
    const { carrier, is, goes } = connection()
    openRoom(session, address, async () => carrier)
    await settled()
    const room = () => runStore(session).getState().room
    expect([room()?.seats, room()?.refusal() === null]).toEqual([0, false])
    is('a', 3)
    is('b', 2)
    expect([room()?.seats, room()?.refusal()]).toEqual([5, null])
    goes('a')
    goes('b')
    expect([room()?.seats, room()?.refusal() === null]).toEqual([0, false])
  })
})

describe('a round of the host', () => {
  const guess = (player: string, guess: number, round = 'r1'): RoundAnswer => ({ round, player, guess })
  const answers = () => [...roundStore(session).getState().answers.keys()]

  test('has the answers of at most 2000 players: no further one, but changes of theirs', () => {
    const { carrier, says } = connection()
    carryRounds(session, carrier, 'R')
    roundStore(session).setState({ round: question })
    roundStore(session).setState({
      answers: new Map(Array.from({ length: 2000 }, (_, k) => [`d${k}`, guess(`p${k}`, 1)])),
    })
    says('late', guess('late', 2))
    says('d5', guess('p5', 2))
    expect([answers().length, answers().includes('late'), roundStore(session).getState().answers.get('d5')]).toEqual([
      2000,
      false,
      guess('p5', 2),
    ])
  })
})

describe('a device that answers', () => {
  function attending() {
    const { carrier, published, all } = connection()
    const answering = createAnswering('p')
    answering.attend(carrier, 'R', 'd')
    const said = () => published.map(({ bytes }) => readAnswer(bytes)?.guess)
    return { answering, all, said, carrier }
  }

  test('answers only while a question is open, and keeps no answer that was not sent', () => {
    const { answering, all, said } = attending()
    answering.guess(1)
    all({ ...question, open: false })
    answering.guess(2)
    expect([said(), answering.store.getState().mine]).toEqual([[], null])
    all(question)
    answering.guess(3)
    all({ ...question, open: false })
    answering.guess(4)
    expect([said(), answering.store.getState().mine]).toMatchObject([[3], { guess: 3, player: 'p' }])
  })

  test('repeats its answer with each message about the same open round, and forgets it with another', () => {
    const { answering, all, said } = attending()
    all(question)
    answering.guess(3)
    all(question)
    all({ ...question, open: false })
    expect([said(), answering.store.getState().mine]).toEqual([[3, 3], expect.objectContaining({ guess: 3 })])
    all({ ...question, round: 'r2' })
    expect([said(), answering.store.getState().mine]).toEqual([[3, 3], null])
    all(null)
    expect(answering.store.getState()).toEqual({ round: null, mine: null })
  })
})

describe('the list of devices', () => {
  async function listed() {
    const made = connection()
    openRoom(session, address, async () => made.carrier)
    await settled()
    return { ...made, state: () => roomStore(session).getState() }
  }

  test('tells devices of one name apart, as long as they are there, and has the last round trip of each', async () => {
    const { is, goes, state } = await listed()
    const names = () => state().devices.map(({ name }) => name)
    for (const id of ['a', 'b', 'c']) is(id, 1, 'laptop')
    expect(names()).toEqual(['laptop', 'laptop 2', 'laptop 3'])
    goes('a')
    is('b', 1, 'laptop', 1100)
    is('d', 1, 'laptop', 40_000)
    expect(names()).toEqual(['laptop 2', 'laptop 3', 'laptop'])
    is('b', 1, 'phone', 900)
    expect(names()).toEqual(['phone', 'laptop 3', 'laptop'])
    expect(state().devices.map(({ roundTrip }) => roundTrip)).toEqual([900, null, 40_000])
    const there = ['laptop', 'laptop 2', ''].map((name) => ({ name }))
    expect(['laptop', 'laptop 2', 'phone', ''].map((name) => distinctName(name, there))).toEqual([
      'laptop 3',
      'laptop 2 2',
      'phone',
      '',
    ])
  })

  test('has how many devices were refused; a text of a foreign broker is no number', async () => {
    const { hear, state } = await listed()
    const refusedAfter = (text: string) => {
      hear(fullTopic('R'), fullTopic('R'), new TextEncoder().encode(text))
      return state().refused
    }
    expect(['3', '', '12', 'many', '-1', '99999999999', '1e3'].map(refusedAfter)).toEqual([3, 0, 12, 0, 0, 0, 0])
  })
})
