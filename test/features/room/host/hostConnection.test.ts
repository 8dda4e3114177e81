import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { boardWith, type ClassScore } from '../../../../src/features/room/host/gameRound.ts'
import { openRoom, roomStore } from '../../../../src/features/room/host/hostRoom.ts'
import { beginRound, carryRounds, roundStore, tellRound } from '../../../../src/features/room/host/hostRounds.ts'
import { createAnswering } from '../../../../src/features/room/join/joining.ts'
import { allTopic, type Carrier, deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'
import { packPresence } from '../../../../src/features/room/protocol/messages.ts'
import {
  packAnswer,
  packRound,
  type RoomRound,
  type RoundAnswer,
  readAnswer,
  readRound,
} from '../../../../src/features/room/protocol/rounds.ts'

const address = { broker: '', room: 'R', role: 'host', token: '' } as const
const question: RoomRound = {
  kind: 'question',
  round: 'r1',
  open: true,
  question: { kind: 'peak', stage: { name: 'B', colour: 1 }, most: 8 },
  right: null,
}
const game: RoomRound = { kind: 'game', round: 'g1', open: true, scenario: '#s=1' }

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
    is: (id: string, threads = 1) =>
      hear(
        deviceTopic('R', '+', 'is'),
        deviceTopic('R', id, 'is'),
        packPresence({ life: 'l', connection: 1, name: id, build: '', threads, lacks: [], roundTrip: null }),
      ),
    goes: (id: string) => hear(deviceTopic('R', '+', 'is'), deviceTopic('R', id, 'is'), new Uint8Array(0)),
    says: (id: string, answer: RoundAnswer) =>
      hear(deviceTopic('R', '+', 'says'), deviceTopic('R', id, 'says'), packAnswer(answer)),
    all: (round: RoomRound | null) =>
      hear(allTopic('R'), allTopic('R'), round === null ? new Uint8Array(0) : packRound(round)),
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

  test('tries no more once the session has ended, and ends a connection that comes up afterwards', async () => {
    let tries = 0
    openRoom(session, address, async () => {
      tries++
      throw new Error('no')
    })
    await settled()
    session.end()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(tries).toBe(1)
    for (const fails of [false, true]) {
      const { carrier, ended } = connection()
      const other = createSession()
      let settle = () => {}
      openRoom(
        other,
        address,
        () => new Promise((resolve, reject) => (settle = () => (fails ? reject(new Error('late')) : resolve(carrier)))),
      )
      other.end()
      settle()
      await vi.advanceTimersByTimeAsync(60_000)
      expect([ended(), roomStore(other).getState().problem]).toEqual([fails ? 0 : 1, null])
    }
  })

  test('ends its connection with the session', async () => {
    const { carrier, ended } = connection()
    openRoom(session, address, async () => carrier)
    await settled()
    expect(ended()).toBe(0)
    session.end()
    expect(ended()).toBe(1)
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

  test('knows how many answers there are also after a device has come or gone', async () => {
    const { carrier, is, goes, says } = connection()
    openRoom(session, address, async () => carrier)
    await settled()
    const counted = () => runStore(session).getState().room?.answers
    is('a')
    beginRound(session, question)
    says('a', { kind: 'guess', round: 'r1', player: 'p', guess: 3 })
    expect(counted()).toBe(1)
    is('b')
    expect(counted()).toBe(1)
    goes('a')
    expect(counted()).toBe(1)
  })

  test('lists no device whose name fits no topic of ours', async () => {
    const { carrier, hear } = connection()
    openRoom(session, address, async () => carrier)
    await settled()
    const presence = packPresence({
      life: 'l',
      connection: 1,
      name: 'a',
      build: '',
      threads: 1,
      lacks: [],
      roundTrip: null,
    })
    for (const topic of [
      'apportion/1/R/d/a-b/is',
      `apportion/1/R/d/${'a'.repeat(41)}/is`,
      'apportion/1/S/d/a/is',
      'apportion/1/R/f/a/is',
      'apportion/1/R/d/a/up',
    ])
      hear(deviceTopic('R', '+', 'is'), topic, presence)
    expect(roomStore(session).getState().devices).toEqual([])
  })

  test('sends its rounds to the room, and hears the answers', async () => {
    const { carrier, published, says } = connection()
    openRoom(session, address, async () => carrier)
    await settled()
    beginRound(session, question)
    says('a', { kind: 'guess', round: 'r1', player: 'p', guess: 3 })
    expect(published.map(({ topic, bytes }) => [topic, bytes.length > 0])).toEqual([
      [allTopic('R'), false],
      [allTopic('R'), true],
    ])
    expect(roundStore(session).getState().answers.size).toBe(1)
  })

  test('lists at most 2000 devices, and one of them that says more is still one', async () => {
    const { carrier, is } = connection()
    openRoom(session, address, async () => carrier)
    await settled()
    is('d0')
    const [first] = roomStore(session).getState().devices
    roomStore(session).setState({ devices: Array.from({ length: 2000 }, (_, k) => ({ ...first, id: `d${k}` })) })
    is('late')
    is('d7', 5)
    const { devices } = roomStore(session).getState()
    expect([devices.length, devices.some(({ id }) => id === 'late'), devices[7].threads]).toEqual([2000, false, 5])
  })
})

describe('a round of the host', () => {
  const guess = (player: string, guess: number, round = 'r1'): RoundAnswer => ({ kind: 'guess', round, player, guess })
  const answers = () => [...roundStore(session).getState().answers.keys()]

  test('is kept by the broker, told again after each connection, and no more once the session has ended', () => {
    const { carrier, published, change } = connection()
    carryRounds(session, carrier, 'R')
    beginRound(session, question)
    change(true)
    change(false)
    expect(published.map(({ topic, bytes, retain }) => [topic, readRound(bytes)?.round ?? null, retain])).toEqual(
      [null, 'r1', 'r1'].map((round) => [allTopic('R'), round, true]),
    )
    const store = roundStore(session)
    session.end()
    store.setState({ round: { ...question, round: 'r2' } })
    expect(published).toHaveLength(3)
  })

  test('is not told again when only an answer has come, and a repeated answer changes nothing', () => {
    const { carrier, published, says } = connection()
    carryRounds(session, carrier, 'R')
    beginRound(session, question)
    says('a', guess('p', 3))
    const { answers } = roundStore(session).getState()
    says('a', guess('p', 3))
    expect([published.length, roundStore(session).getState().answers === answers]).toEqual([2, true])
    says('a', guess('p', 4))
    expect(roundStore(session).getState().answers.get('a')).toMatchObject({ guess: 4 })
  })

  test('takes an answer up to the greatest that it allows, while it is open, and of moves each that is another', () => {
    const { carrier, says } = connection()
    carryRounds(session, carrier, 'R')
    beginRound(session, question)
    says('a', guess('pa', 8))
    says('b', guess('pb', 9))
    expect([answers(), roundStore(session).getState().refused]).toEqual([['a'], 1])
    tellRound(session, { ...question, open: false })
    says('c', guess('pc', 1))
    expect(answers()).toEqual(['a'])
    beginRound(session, game)
    const moves = (...seats: number[]): RoundAnswer => ({
      kind: 'moves',
      round: 'g1',
      player: 'p',
      seats: Uint8Array.from(seats),
    })
    says('a', guess('pa', 1, 'g1'))
    expect([answers(), roundStore(session).getState().refused]).toEqual([[], 1])
    for (const seats of [[1], [1, 2], [1, 3], [1]]) {
      says('a', moves(...seats))
      expect(roundStore(session).getState().answers.get('a')).toEqual(moves(...seats))
    }
  })

  test('has the answers of at most 2000 players: no further one, but changes of theirs', () => {
    const { carrier, says } = connection()
    carryRounds(session, carrier, 'R')
    beginRound(session, question)
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

test('the board of a game has the best game of each player, whether its device or its name is another, the quickest first', () => {
  const score = (device: string, player: string, makespan: number, games = 1) =>
    ({ device, player, games, scores: { makespan } }) as unknown as ClassScore
  let board: ClassScore[] = []
  for (const one of [score('a', 'ada', 50), score('b', 'bo', 30), score('c', 'cy', 40)]) board = boardWith(board, one)
  const shown = () =>
    board.map(({ device, player, scores, games }) => `${device} ${player} ${scores.makespan} ${games}`)
  expect(shown()).toEqual(['b bo 30 1', 'c cy 40 1', 'a ada 50 1'])
  board = boardWith(board, score('b', 'bo', 60, 2))
  board = boardWith(board, score('a2', 'ada', 20, 2))
  board = boardWith(board, score('c', 'cy2', 35, 2))
  expect(shown()).toEqual(['a2 ada 20 2', 'b bo 30 2', 'c cy2 35 2'])
})

describe('a device that answers', () => {
  function attending() {
    const { carrier, published, all } = connection()
    const answering = createAnswering('p')
    answering.attend(carrier, 'R', 'd')
    const said = () =>
      published
        .map(({ bytes }) => readAnswer(bytes))
        .map((answer) => (answer?.kind === 'guess' ? answer.guess : (answer?.seats.join() ?? null)))
    return { answering, all, said, carrier }
  }

  test('answers only what is asked and open: no guess in a game, no moves to a question, nothing once it is closed', () => {
    const { answering, all, said } = attending()
    answering.guess(1)
    answering.play(Uint8Array.of(1))
    all(question)
    answering.play(Uint8Array.of(2))
    answering.guess(3)
    all({ ...question, open: false })
    answering.guess(4)
    all(game)
    answering.guess(5)
    answering.play(Uint8Array.of(6))
    all({ ...game, open: false })
    answering.play(Uint8Array.of(7))
    expect(said()).toEqual([3, '6'])
  })

  test('keeps no answer to a question that is closed or was not asked, since none was sent', () => {
    const { answering, all } = attending()
    const mine = () => answering.store.getState().mine
    const steps: (() => void)[] = [
      () => answering.guess(1),
      () => all({ ...question, open: false }),
      () => answering.guess(2),
      () => answering.play(Uint8Array.of(3)),
      () => all({ ...game, open: false }),
      () => answering.play(Uint8Array.of(4)),
      () => all(game),
      () => answering.guess(5),
    ]
    for (const [k, step] of steps.entries()) {
      step()
      expect(mine(), String(k)).toBeNull()
    }
    answering.play(Uint8Array.of(6))
    expect(mine()).toMatchObject({ kind: 'moves', round: 'g1', player: 'p' })
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

  test('that comes back knows its answer, and no round before it hears of one', () => {
    const { answering, all } = attending()
    all(question)
    answering.guess(3)
    const back = connection()
    answering.attend(back.carrier, 'R', 'd2')
    expect(answering.store.getState()).toMatchObject({ round: null, mine: { guess: 3 } })
    back.all(question)
    expect(back.published.map(({ topic }) => topic)).toEqual([deviceTopic('R', 'd2', 'says')])
  })
})
