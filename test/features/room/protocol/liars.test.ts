import { describe, expect, test } from 'vitest'
import type { BatchOrder, Reply } from '../../../../src/engine/conductor/batchPort.ts'
import { isTile } from '../../../../src/engine/work/kernels.ts'
import { rowsOf } from '../../../engine/threads/runRecording.ts'
import { inFull } from '../../../fixtures/extent.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { type Coming, MadeUpRoom } from './madeUpRoom.ts'
import { expectServedOnce } from './servedOnce.ts'

type Lie = NonNullable<Coming['answer']>
const throwing = (at: (jobs: readonly number[]) => number | undefined): Lie => {
  return ({ jobs }, { began }) => ({ reply: { began, ended: [], threw: { job: at(jobs) ?? 0, reason: 'made up' }, payloads: null } })
}
/** A picture of the right form. Its checksum is that of what the liar sent. */
const forged: Lie = ({ work }, reply) => {
  if (work !== 'mandelbrot') return { reply }
  const payloads = (reply.payloads ?? []).map((tile) => (isTile(tile) ? { ...tile, counts: tile.counts?.map((count) => count + 1) ?? null } : tile))
  return { reply: { ...reply, payloads } }
}
const honest: Lie = (_: BatchOrder, reply: Reply) => ({ reply })

const lies: Readonly<Record<string, Lie>> = {
  'throws at the first job': throwing((jobs) => jobs[0]),
  'throws at the last job': throwing((jobs) => jobs.at(-1)),
  'throws at a job of nobody': throwing(() => 99_999),
  'breaks down': () => ({ broken: 'made up' }),
}

const image = { kind: 'image', width: 128, height: 128, tile: 16, x: -0.6, y: 0.1, span: 3.2, iterations: 30 }
const works = {
  wait: { source: { kind: 'batch', jobs: 100 }, stages: [{ id: 'A', work: 'wait', service: { kind: 'constant', mean: 5000 } }] },
  parseJson: { source: { kind: 'batch', jobs: 100 }, stages: [{ id: 'A', work: 'parseJson', service: { kind: 'constant', mean: 5000 } }] },
  mandelbrot: { source: image, stages: ['mandelbrot', 'colour'].map((work) => ({ id: work, work, service: { kind: 'constant', mean: 5000 } })) },
}

/** Four devices with two threads each, of which one lies from its third batch on. */
async function played(work: keyof typeof works, lie: Lie, seed: number, verify = 1) {
  const scenario = scenarioWith({ ...works[work], workers: 8, batch: { size: 1 + (seed % 3), inHand: 1 + (seed % 2) } })
  const room = new MadeUpRoom(seed)
  let served = 0
  const liar: Lie = (order, reply) => (++served > 2 ? lie(order, reply) : { reply })
  for (const [k, answer] of [honest, honest, liar, honest].entries()) room.join(`d${k}`, 2, { name: k === 2 ? 'Liar' : `Honest ${k}`, answer })
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
        expect(reason).toMatch(/^(gave a wrong result|failed at work that others can do|sent an unreadable message): Liar$/)
    }
  })
})

test.each([2, 3])('a forged picture is found where %i devices do the work, and nobody else is lost', async (verify) => {
  for (const seed of seeds) {
    const [right, run] = [await played('mandelbrot', honest, seed), await played('mandelbrot', forged, seed, verify)]
    expectServedOnce(run, 64)
    expect(run.failures.map(({ reason }) => reason)).toEqual(run.failures.map(() => 'gave a wrong result: Liar'))
    expect(run.failures.length).toBeGreaterThan(0)
    const pixels = ({ tiles }: typeof run) => Object.fromEntries(tiles.map(({ job, pixels }) => [job, [...pixels]]))
    expect(pixels(run)).toEqual(pixels(right))
  }
})

test('jobs that are declared to fail do so on every device, and nobody is lost for it', async () => {
  const stage = { id: 'A', work: 'wait', service: { kind: 'constant', mean: 5000 }, fails: { jobs: [3, 50], tries: 2 } }
  const room = new MadeUpRoom()
  for (let k = 0; k < 3; k++) room.join(`d${k}`, 1, { answer: honest })
  const run = await room.play(scenarioWith({ ...works.wait, stages: [stage], workers: 3 }))
  expect(rowsOf(run.trace, 'failed').map(({ job }) => job)).toEqual([3, 50])
  expect(run.failures.filter(({ kind }) => kind === 'worker')).toEqual([])
})
