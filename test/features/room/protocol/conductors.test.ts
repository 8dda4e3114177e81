import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../../engine/threads/runRecording.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { MadeUpRoom } from './madeUpRoom.ts'
import { expectServedOnce } from './servedOnce.ts'

const second = 1_000_000

const scenario = (jobs: number, workers: number, more: object = {}) =>
  scenarioWith({
    source: { kind: 'batch', jobs },
    stages: ['A', 'B'].map((id) => ({ id, work: 'wait', service: { kind: 'exponential', mean: 30_000 } })),
    workers,
    ...more,
  })

describe('a conductor that begins while another conducts', () => {
  const both = async (first: number, then: number) => {
    const room = new MadeUpRoom()
    for (const device of ['a', 'b']) room.join(device)
    const older = room.begin(scenario(first, 2))
    await room.until(() => room.time.passed > older.startedAt() + second)
    const newer = room.begin(scenario(then, 2))
    await room.until(() => older.over() && newer.over())
    return { older, newer }
  }

  test('takes the devices over, and gives them back when it is done', async () => {
    const { older, newer } = await both(150, 60)
    expectServedOnce(newer, 60)
    expectServedOnce(older, 150)
    expect(newer.failures).toEqual([])
    expect(rowsOf(older.trace, 'lost')).toHaveLength(2)
    expect(older.failures[0].reason).toBe('serves another conductor')
    expect(rowsOf(older.trace, 'joined')).toHaveLength(2)
  })

  test('leaves the older one stuck if it takes longer than that one waits', async () => {
    const { older, newer } = await both(150, 500)
    expectServedOnce(newer, 500)
    expect(older.endings).toEqual(['stuck'])
    // It asks now and then, and is refused: that is no loss of a worker.
    expect(rowsOf(older.trace, 'lost')).toHaveLength(2)
  })
})

test('a second batch in hand is never noted as given before the first, whatever the clocks of the devices say', async () => {
  for (let seed = 1; seed <= repeats(6); seed++) {
    const room = new MadeUpRoom(seed)
    room.ways = () => [room.chance.between(50, 30_000)]
    for (const device of ['a', 'b', 'c', 'd']) room.join(device)
    const short = ['A', 'B'].map((id) => ({ id, work: 'wait', service: { kind: 'exponential', mean: 900 } }))
    expectServedOnce(await room.play(scenario(400, 4, { stages: short, batch: { size: 4, inHand: 2 } })), 400)
  }
})
