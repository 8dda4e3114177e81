import { describe, expect, test } from 'vitest'
import { createConductor } from '../../../src/engine/conductor/conductor.ts'
import { pageEnvironment } from '../../../src/engine/threads/pageEnvironment.ts'
import { runInSequence } from '../../../src/engine/work/loadPayloads.ts'
import { sha256Hex } from '../../../src/engine/work/textLines.ts'
import { replay } from '../../../src/features/replay/study/replay.ts'
import { stateAt } from '../../../src/trace/trace.ts'
import { routingOf } from '../../../src/workload/service.ts'
import { events, linksOf, scenarioWith } from '../../fixtures/scenarios.ts'
import { checkShards } from '../../fixtures/shardCheck.ts'
import { listen, rowsOf } from './runRecording.ts'

const wait = (id: string, mean: number, more: object = {}) => ({
  id,
  service: { kind: 'constant', mean },
  work: 'wait',
  ...more,
})

async function play(asked: object, file: Blob | null = null) {
  const scenario = scenarioWith(asked)
  const recording = listen(scenario)
  await createConductor(pageEnvironment(), { file }).start(scenario, recording.listener)
  return { ...recording, scenario, counts: stateAt(recording.trace, Infinity).counts }
}

describe('a graph on real workers', () => {
  test('copies, waits for all parts, and lets the jobs out in order', async () => {
    // Five jobs of 30 ms through two parallel stages, then two stages in a row: 210 ms.
    const { trace, endings, counts } = await play({
      source: { kind: 'batch', jobs: 5 },
      stages: [wait('A', 30_000), wait('B', 30_000), wait('C', 30_000, { join: 'all' }), wait('D', 30_000)],
      links: linksOf('source>A source>B A>C B>C C>D D>sink'),
      workers: 4,
      policy: { kind: 'onePerStage' },
      order: { kind: 'buffer', slots: 2 },
    })
    expect(endings).toEqual(['drained'])
    expect([counts.released, counts.failed]).toEqual([5, 0])
    expect(rowsOf(trace, 'gathered')).toHaveLength(5)
    expect(rowsOf(trace, 'released').map(({ job }) => job)).toEqual([0, 1, 2, 3, 4])
    expect(rowsOf(trace, 'released')[4].time).toBeGreaterThanOrEqual(210_000)
    expect(replay(trace).difference).toBeNull()
  })

  test('routes jobs as the simulation does, and fails a job as a whole when a part fails', async () => {
    const { trace, endings, counts, scenario } = await play({
      source: { kind: 'batch', jobs: 60 },
      stages: [
        wait('A', 500, { fanOut: { route: { B: 2, C: 1 } } }),
        wait('B', 800),
        wait('C', 900, { capacity: 3 }),
        wait('D', 300),
        wait('E', 700, { fails: { jobs: [7, 20], tries: 1 } }),
        wait('F', 2000),
        wait('G', 100, { join: 'all' }),
      ],
      links: linksOf('source>A A>B A>C B>D C>D D>E D>F E>G F>G G>sink'),
      workers: 6,
      batch: { size: 2, inHand: 2 },
      order: { kind: 'buffer', slots: 8 },
    })
    expect(endings).toEqual(['drained'])
    expect([counts.released, counts.failed]).toEqual([58, 2])
    const routeOf = routingOf(scenario)
    for (const { job, stage } of rowsOf(trace, 'routed')) expect(stage).toBe(routeOf(0, job))
    expect(
      rowsOf(trace, 'failed')
        .map(({ job }) => job)
        .sort((a, b) => a - b),
    ).toEqual([7, 20])
    expect([...counts.waiting, ...counts.inHands, ...counts.gathering].every((jobs) => jobs === 0)).toBe(true)
    expect(replay(trace).difference).toBeNull()
  })

  test('keeps the order by shards, also when a worker crashes and another joins', async () => {
    const { trace, endings, counts, scenario } = await play({
      source: { kind: 'batch', jobs: 80 },
      stages: [
        { id: 'A', service: { kind: 'exponential', mean: 1500 }, work: 'wait' },
        { id: 'B', service: { kind: 'exponential', mean: 2000 }, work: 'wait', fails: { jobs: [11], tries: 1 } },
        wait('C', 1000, { capacity: 4 }),
        wait('D', 500, { join: 'all' }),
      ],
      links: linksOf('source>A A>B A>C B>D C>D D>sink'),
      workers: 8,
      workerEvents: events([20_000, 'crash', 2], [40_000, 'join', 8]),
      batch: { size: 2 },
      order: { kind: 'shard' },
    })
    expect(endings).toEqual(['drained'])
    // At B jobs have a single try: if the worker that crashes has a job there alone, that job fails too.
    expect(counts.released + counts.failed).toBe(80)
    expect([1, 2]).toContain(counts.failed)
    const left = rowsOf(trace, 'released').map(({ job }) => job)
    expect(left).toEqual([...left].sort((a, b) => a - b))
    for (const stage of scenario.stages.keys()) expect(checkShards(trace, stage).wrong).toBeNull()
    expect(replay(trace).difference).toBeNull()
  })

  test('does real work on routed jobs with the same result as one thread in sequence', async () => {
    const asked = {
      source: { kind: 'batch', jobs: 40 },
      stages: [
        { id: 'A', work: 'parseJson', fanOut: { route: { B: 1, C: 1 } } },
        { id: 'B', work: 'validate' },
        { id: 'C', work: 'wait' },
        { id: 'D', work: 'sha256' },
      ],
      links: linksOf('source>A A>B A>C B>D C>D D>sink'),
      workers: 3,
      order: { kind: 'buffer', slots: 40 },
    }
    const { output, scenario } = await play(asked)
    const sequence = await runInSequence(scenario, null, () => {})
    expect(output?.sha256).toBe(sequence?.sha256)
    expect(output?.records).toBe(40)
  })

  test('does real work on the parts of copied jobs, and merges them into one record where they meet', async () => {
    const file = new Blob(['{"a":" x "}\nno record\n{"b":2}\n'])
    const asked = {
      source: { kind: 'lines', jobs: 3, digest: '' },
      stages: [
        { id: 'A', work: 'parseJson', fails: { tries: 1, jobs: [] } },
        { id: 'B', work: 'validate' },
        { id: 'C', work: 'sha256' },
        { id: 'D', work: 'wait', service: { kind: 'constant', mean: 2000 } },
        { id: 'E', work: 'validate', join: 'all' },
      ],
      links: linksOf('source>A A>B A>C C>D B>E D>E E>sink'),
      workers: 3,
      order: { kind: 'buffer', slots: 4 },
    }
    const { output, scenario, counts } = await play(asked, file)
    const hash = async (text: string) => sha256Hex(new TextEncoder().encode(text))
    const expected = [
      { B: { a: 'x' }, D: { a: ' x ', sha256: await hash('{"a":" x "}') } },
      { B: { b: 2 }, D: { b: 2, sha256: await hash('{"b":2}') } },
    ]
    expect(
      (await output?.blob.text())
        ?.trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(expected)
    expect([counts.released, counts.failed]).toEqual([2, 1])
    const sequence = await runInSequence(scenario, file, () => {})
    expect([sequence?.sha256, sequence?.records]).toEqual([output?.sha256, 2])
  })

  test('compresses the parts of a job at the sink one after the other, and refuses pipelines that compress only some jobs', async () => {
    const asked = (second: string) => ({
      source: { kind: 'batch', jobs: 12 },
      stages: [
        { id: 'A', work: 'parseJson' },
        { id: 'B', work: 'gzip' },
        { id: 'C', work: second },
      ],
      links: linksOf('source>A A>B A>C B>sink C>sink'),
      workers: 3,
    })
    const { output, scenario } = await play(asked('gzip'))
    const sequence = await runInSequence(scenario, null, () => {})
    expect([output?.records, output?.bytes]).toEqual([12, sequence?.bytes])
    await expect(play(asked('validate'))).rejects.toThrow('Some records would leave compressed here and others not')
  })

  test('refuses tiles that are copied, with a reason', async () => {
    const stages = [{ id: 'A', work: 'mandelbrot' }, { id: 'B' }, { id: 'C' }]
    const source = { kind: 'image', width: 16, height: 16, tile: 8 }
    await expect(
      play({ source, stages, links: linksOf('source>A A>B A>C B>sink C>sink'), workers: 2 }),
    ).rejects.toThrow('A picture takes no copies of its tiles')
  })
})
