import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { carryRounds, roundStore, withdrawRound } from '../../../../src/features/room/host/hostQuestion.ts'
import { type Answering, createAnswering } from '../../../../src/features/room/join/joining.ts'
import { allTopic, deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'
import { packFrame } from '../../../../src/features/room/protocol/frame.ts'
import type { RoomRound } from '../../../../src/features/room/protocol/rounds.ts'
import { createChance } from '../../../fixtures/chance.ts'
import { MemoryBroker, type MemoryCarrier } from '../../../fixtures/memoryBroker.ts'
import { mutatedValue } from '../../../fuzz/mutations.ts'

const asks: RoomRound = {
  round: 'r1',
  open: true,
  question: { kind: 'peak', stage: { name: 'B', colour: 1 }, most: 8 },
  right: null,
}

let session: Session
let broker: MemoryBroker
let host: MemoryCarrier
beforeEach(() => {
  vi.useFakeTimers()
  session = createSession()
  broker = new MemoryBroker({ later: (_, call) => void setTimeout(call), ways: () => [0] })
  host = broker.connect('host1')
  carryRounds(session, host, 'R')
})
afterEach(() => {
  session.end()
  vi.useRealTimers()
})

const settled = () => vi.advanceTimersByTimeAsync(10)
const answersReceived = () =>
  [...roundStore(session).getState().answers].map(([device, { guess }]) => `${device}: ${guess}`)

function device(id: string, answering: Answering = createAnswering(`player${id}`)) {
  const carrier = broker.connect(id)
  answering.attend(carrier, 'R', id)
  return { carrier, answering, state: () => answering.store.getState() }
}

describe('a room', () => {
  test('gets a question, also when it joins later; the latest answer of each counts until it is closed, and all get the right answer', async () => {
    const ada = device('ada')
    roundStore(session).setState({ round: asks })
    await settled()
    const bo = device('bo')
    await settled()
    expect([ada.state().round, bo.state().round]).toEqual([asks, asks])
    ada.answering.guess(3)
    bo.answering.guess(5)
    ada.answering.guess(4)
    await settled()
    expect(answersReceived()).toEqual(['ada: 4', 'bo: 5'])
    roundStore(session).setState({ round: { ...asks, open: false } })
    await settled()
    bo.answering.guess(8)
    await settled()
    expect(answersReceived()).toEqual(['ada: 4', 'bo: 5'])
    roundStore(session).setState({ round: { ...asks, open: false, right: [4] } })
    await settled()
    expect(ada.state()).toMatchObject({ round: { right: [4] }, mine: { guess: 4 } })
    withdrawRound(session)
    await settled()
    expect([ada.state().round, answersReceived()]).toEqual([null, []])
  })

  test('an answer that was lost with the connection is sent again, and a broker that has forgotten the question gets it again', async () => {
    roundStore(session).setState({ round: asks })
    const ada = device('ada')
    await settled()
    ada.carrier.cut()
    ada.answering.guess(6)
    await settled()
    expect(answersReceived()).toEqual([])
    ada.carrier.comeBack()
    await settled()
    expect(answersReceived()).toEqual(['ada: 6'])
    broker.restart()
    for (const carrier of [host, ada.carrier]) carrier.comeBack()
    const bo = device('bo')
    await settled()
    expect(bo.state().round).toEqual(asks)
    expect(answersReceived()).toEqual(['ada: 6'])
  })

  test('answers to another round are late; invalid answers are counted; nothing throws', async () => {
    roundStore(session).setState({ round: asks })
    const says = (head: object, id = 'eve') => host.publish(deviceTopic('R', id, 'says'), packFrame(head, []))
    says({ round: 'r0', player: 'p', guess: 3 })
    await settled()
    expect(roundStore(session).getState().answers.size).toBe(0)
    says({ round: 'r1', player: 'p', guess: 9 })
    says({ round: 'r1', player: 'p' })
    host.publish(deviceTopic('R', 'eve', 'says'), new Uint8Array(20))
    await settled()
    expect(roundStore(session).getState()).toMatchObject({ round: asks, answers: new Map() })
    roundStore(session).setState({ round: { ...asks, open: false } })
    says({ round: 'r1', player: 'late', guess: 3 })
    await settled()
    expect(answersReceived()).toEqual([])
    roundStore(session).setState({ round: asks })
    for (let k = 0; k < 500; k++)
      says(mutatedValue({ round: 'r1', player: 'p', guess: 3 }, createChance(k)) as object, `eve${k % 7}`)
    await settled()
    for (const { guess } of [...roundStore(session).getState().answers.values()] as { guess: number }[])
      expect(guess).toBeLessThanOrEqual(8)
    // A device ignores an invalid question.
    const ada = device('ada')
    host.publish(allTopic('R'), packFrame({ ...asks, question: { kind: 'code' } }, []), true)
    await settled()
    expect(ada.state().round).toBeNull()
  })
})
