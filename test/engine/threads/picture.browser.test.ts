import { describe, expect, test } from 'vitest'
import { createConductor } from '../../../src/engine/conductor/conductor.ts'
import { pageEnvironment } from '../../../src/engine/threads/pageEnvironment.ts'
import { runJob } from '../../../src/runs/remote/jobThreads.ts'
import { startRun } from '../../../src/runs/remote/remoteRun.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { tilePlace } from '../../../src/scenario/model/sourceFigures.ts'
import { countJobs, type Picture } from '../../../src/scenario/model/sources.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { listen, rowsOf } from './runRecording.ts'

const kernels = ['mandelbrot', 'colour', 'antialias', 'qoi']
const stagesOf = (works: readonly string[]) =>
  works.map((work) => ({ id: work, work, service: { kind: 'constant', mean: 1000 } }))

/** 6 x 4 tiles, of which some take a hundred times as long as others. */
function pictureOf(asked: object = {}, works: readonly string[] = kernels): Scenario {
  return scenarioWith({
    source: { kind: 'image', width: 180, height: 128, tile: 32, iterations: 4000 },
    stages: stagesOf(works),
    workers: 2,
    ...asked,
  })
}

async function play(scenario: Scenario) {
  const recording = listen(scenario)
  await startRun('threads', scenario, null, recording.listener).finished
  return recording
}

describe('a picture', () => {
  test('on two workers has the pixels of one worker doing everything in sequence', async () => {
    const scenario = pictureOf()
    const { output, endings, failures, trace } = await play(scenario)
    expect([endings, failures]).toEqual([['drained'], []])
    expect(output).toMatchObject({
      records: 24,
      bytes: 4 * 180 * 128,
      picture: { width: 180, height: 128 },
      compressed: false,
    })
    const sequence = await runJob('runInSequence', { scenario, file: null })
    expect(output?.sha256).toBe(sequence?.sha256)
    expect(new Set(rowsOf(trace, 'finished').map(({ worker }) => worker)).size).toBe(2)
  })

  test('has the same pixels as in Node, where this checksum is tested too', async () => {
    const source = { kind: 'image', width: 60, height: 40, tile: 16, iterations: 200 }
    expect((await play(pictureOf({ source }))).output?.sha256).toBe(
      'd4ef85029d36f839c3786de7bf66beaa235234e296820a085db5cb27487e9b85',
    )
  })

  test('arrives tile by tile during the run, each tile before its row `released`', async () => {
    const scenario = pictureOf()
    const recording = listen(scenario)
    const seen: number[] = []
    const known: [tiles: number[], left: number[]][] = []
    await startRun('threads', scenario, null, {
      ...recording.listener,
      journal(journal) {
        recording.listener.journal?.(journal)
        seen.push(recording.tiles.length)
        known.push([recording.tiles.map(({ job }) => job), rowsOf(recording.trace, 'released').map(({ job }) => job)])
      },
    }).finished
    for (const [tiles, left] of known) expect(tiles).toEqual(left)
    expect(seen.some((tiles) => tiles > 0 && tiles < 24)).toBe(true)
    // Put together, the tiles are the output.
    const source = scenario.source as Picture
    const all = new Uint8Array(await (recording.output as { blob: Blob }).blob.arrayBuffer())
    for (const { job, pixels } of recording.tiles) {
      const { left, top, width, height } = tilePlace(source, job)
      for (let y = 0; y < height; y++) {
        const from = 4 * ((top + y) * source.width + left)
        expect(pixels.subarray(4 * y * width, 4 * (y + 1) * width)).toEqual(all.subarray(from, from + 4 * width))
      }
    }
  })

  test('in order of arrival appears row by row', async () => {
    const { tiles, output } = await play(pictureOf({ order: { kind: 'buffer', slots: 8 } }))
    expect(tiles.map(({ job }) => job)).toEqual(Array.from({ length: 24 }, (_, job) => job))
    expect(output?.records).toBe(24)
  })

  test('may leave compressed, coloured or merely computed, and in batches, and is the same', async () => {
    const whole = await play(pictureOf({}, ['mandelbrot', 'colour', 'qoi']))
    for (const works of [['mandelbrot'], ['mandelbrot', 'colour']]) {
      const { output } = await play(pictureOf({ batch: { size: 5 } }, works))
      expect(output?.sha256).toBe(whole.output?.sha256)
    }
  })

  test('is complete although a worker crashes: its tile is tried again', async () => {
    const scenario = pictureOf({ workers: 3, workerEvents: [{ at: 30_000, kind: 'crash', worker: 0 }] })
    const { output, endings, trace } = await play(scenario)
    expect(endings).toEqual(['drained'])
    expect(rowsOf(trace, 'lost')).toHaveLength(1)
    expect(rowsOf(trace, 'released')).toHaveLength(24)
    expect(output?.sha256).toBe((await runJob('runInSequence', { scenario, file: null }))?.sha256)
  })

  test('still arrives if a tile takes longer than the usual silence limit', async () => {
    const source = { kind: 'image', width: 200, height: 200, tile: 100, x: -0.2, y: 0, span: 0.1, iterations: 10_000 }
    const stages = stagesOf(['mandelbrot']).map((stage) => ({ ...stage, service: { kind: 'constant', mean: 1 } }))
    const scenario = pictureOf({ source, stages, batch: { size: 4 }, workers: 1 })
    const { endings, failures, trace } = await play(scenario)
    expect([endings, failures]).toEqual([['drained'], []])
    const [{ began }, , , { ended }] = rowsOf(trace, 'finished')
    // The test needs a slow tile.
    expect(ended - began).toBeGreaterThan(500_000)
  })

  test('has a hole where a tile has failed, as the sequential one has', async () => {
    const stages = stagesOf(kernels).map((stage, s) => (s === 1 ? { ...stage, fails: { jobs: [9], tries: 2 } } : stage))
    const scenario = pictureOf({ stages })
    const { output, endings, failures } = await play(scenario)
    expect(endings).toEqual(['drained'])
    expect(failures.map(({ job }) => job)).toEqual([9, 9])
    expect(output?.records).toBe(23)
    const all = new Uint8Array(await (output as { blob: Blob }).blob.arrayBuffer())
    const { left, top } = tilePlace(scenario.source as Picture, 9)
    expect([...all.subarray(4 * (top * 180 + left), 4 * (top * 180 + left) + 4)]).toEqual([0, 0, 0, 0])
    expect(output?.sha256).toBe((await runJob('runInSequence', { scenario, file: null }))?.sha256)
  })

  test('through stages in the wrong order fails tile by tile, and names the stage that must come before', async () => {
    const { failures, endings, output } = await play(pictureOf({}, ['colour', 'mandelbrot']))
    expect([endings, output?.records]).toEqual([['drained'], 0])
    expect(failures[0].reason).toContain('another stage must come before this one: mandelbrot')
  })

  test('that is stopped keeps the tiles that have left, and has no output', async () => {
    const scenario = pictureOf({ source: { kind: 'image', width: 512, height: 384, tile: 32, iterations: 20_000 } })
    const recording = listen(scenario)
    const run = startRun('threads', scenario, null, recording.listener)
    while (recording.tiles.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await run.stop()
    expect([recording.endings, recording.output]).toEqual([['stopped'], null])
    expect(recording.tiles.length).toBeLessThan(countJobs(scenario.source))
  })

  test('with too many tiles for threads is refused with a reason', async () => {
    const recording = listen(pictureOf({ source: { kind: 'image', width: 2400, height: 2400, tile: 8 } }))
    await expect(
      createConductor(pageEnvironment()).start(recording.trace.scenario, recording.listener),
    ).rejects.toThrow('A real run has at most 200,000 services')
  })

  test('is not computed by stages that only burn or wait: then there is no output', async () => {
    const { output, endings, tiles } = await play(pictureOf({}, ['burn', 'wait']))
    expect([endings, output, tiles]).toEqual([['drained'], null, []])
  })
})
