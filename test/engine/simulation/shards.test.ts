import { expect, test } from 'vitest'
import { presetOf } from '../../../src/scenario/presets/presets.ts'
import { endOf } from '../../../src/trace/trace.ts'
import { constant, noted, play, playTrace } from './play.ts'

const two = { kind: 'fixed', allocation: { A: 2, B: 2 } }
const waiting = (id: string, mean: number, more: object = {}) => constant(id, mean, { work: 'wait', ...more })

test('each worker serves every other ticket, and the last stage starts no ticket before its shard’s previous one has left', async () => {
  const { trace, rows } = await play({
    source: { kind: 'batch', jobs: 5 },
    stages: [
      waiting('A', 10, {
        changes: [
          { from: 1, service: { kind: 'constant', mean: 40 } },
          { from: 2, service: { kind: 'constant', mean: 10 } },
        ],
      }),
      waiting('B', 10),
    ],
    workers: 4,
    policy: two,
    order: { kind: 'shard' },
  })
  expect(noted(rows, trace, 'started', 'released')).toEqual([
    '0 started A w0 j0',
    '0 started A w1 j1',
    '10 started B w2 j0',
    '10 started A w0 j2',
    '20 released j0',
    '20 started B w2 j2',
    '20 started A w0 j4',
    '40 started B w3 j1',
    '40 started A w1 j3',
    '50 released j1',
    '50 released j2',
    '50 started B w3 j3',
    '50 started B w2 j4',
    '60 released j3',
    '60 released j4',
  ])
})

test.each([
  ['side-by-side-sharded', 1_250_000],
  ['six-through-three-sharded', 1_000_000],
])('the preset %s takes its ideal time', async (id, makespan) => {
  const preset = presetOf(id)
  if (preset === undefined) throw new Error('no such preset')
  const trace = await playTrace(preset.scenario)
  expect(trace.ending).toBe('drained')
  expect(endOf(trace)).toBe(makespan)
})
