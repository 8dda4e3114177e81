import { describe, expect, test } from 'vitest'
import { arrivals, scriptedCore } from './scriptedCore.ts'

const stages = [{ id: 'A' }, { id: 'B' }]
const seatsOf = ({ core }: ReturnType<typeof scriptedCore>) => [...core.seats]

describe('one instant, one decision', () => {
  test('all facts of a time are applied before any worker is assigned', () => {
    const tell = scriptedCore({ stages, workers: 2 })
    expect(tell(0, ...arrivals(0, 2), 'exhausted')).toEqual(['started w0 A 0', 'started w1 A 1'])
    expect(tell(5, 'finished w0 A 0', 'finished w1 A 1')).toEqual(['started w1 B 0', 'started w0 A 2'])
    expect(tell.journal.decisions.length).toBe(2)
    expect(seatsOf(tell)).toEqual([1, 1])
  })
})

describe('the consequences of the facts of an instant', () => {
  test('are written before hires, and hires before starts', () => {
    const policy = { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 1000, setpoint: 0, up: -1, down: 1 }
    const tell = scriptedCore({ stages: [{ id: 'A' }], workers: 3, policy })
    expect(tell(0, ...arrivals(0, 3), 'tick')).toEqual(['hired w0 A', 'started w0 A 0'])
    expect(tell(1000, 'finished w0 A 0', 'tick')).toEqual([
      'released 0',
      'hired w1 A',
      'started w0 A 1',
      'started w1 A 2',
    ])
  })
})

describe('posts', () => {
  test('workers at a stage stay there; otherwise the lowest number goes', () => {
    const tell = scriptedCore({ stages, workers: 3, policy: { kind: 'fixed', allocation: { A: 2, B: 1 } } })
    expect(tell(0, ...arrivals(0, 5))).toEqual(['started w0 A 0', 'started w1 A 1'])
    expect(tell(5, 'finished w0 A 0', 'finished w1 A 1')).toEqual([
      'started w0 A 2',
      'started w2 B 0',
      'started w1 A 3',
    ])
    expect(tell(9, 'finished w2 B 0')).toEqual(['released 0', 'started w2 B 1'])
  })

  test('one worker alone takes each job through all stages', () => {
    const tell = scriptedCore({ stages, workers: 4, policy: { kind: 'single' } })
    expect(tell(0, ...arrivals(0, 1))).toEqual(['started w0 A 0'])
    expect(tell(1, 'finished w0 A 0')).toEqual(['started w0 B 0'])
    expect(tell(2, 'finished w0 B 0')).toEqual(['released 0', 'started w0 A 1'])
    expect(tell(3, 'lost w0')).toEqual(['started w1 A 1'])
  })
})

describe('failures', () => {
  test('a failed batch returns to the head of the queue, and its jobs are tried one by one', () => {
    const tell = scriptedCore({ stages: [{ id: 'A' }], workers: 2, batch: { size: 3 } })
    expect(tell(0, ...arrivals(0, 4))).toEqual([
      'started w0 A 0',
      'started w0 A 1',
      'started w0 A 2',
      'started w1 A 3',
      'started w1 A 4',
    ])
    expect(tell(1, 'threw w0 A 1')).toEqual(['started w0 A 0'])
    expect(tell(2, 'finished w0 A 0')).toEqual(['released 0', 'started w0 A 1'])
  })
})
