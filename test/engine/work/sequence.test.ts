import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { runInSequence } from '../../../src/engine/work/loadPayloads.ts'
import { antialias, colour, mandelbrot } from '../../../src/engine/work/mandelbrot.ts'
import { createPicturePayloads } from '../../../src/engine/work/payloads.ts'
import type { Picture } from '../../../src/scenario/model/sources.ts'
import { routingOf } from '../../../src/workload/service.ts'
import { linksOf, scenarioWith } from '../../fixtures/scenarios.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const fileOf = (lines: readonly string[]) => new Blob([lines.join('\n')])
const linear = (works: readonly string[], more: object = {}) =>
  scenarioWith({
    source: { kind: 'lines', jobs: 3, digest: '' },
    stages: works.map((work, s) => ({ id: `s${s}`, work })),
    workers: 2,
    ...more,
  })

/** Runs a scenario in sequence. Returns the text of its output, its other fields, and the last progress. */
async function run(scenario: ReturnType<typeof scenarioWith>, file: Blob | null = null) {
  const shares: number[] = []
  const output = await runInSequence(scenario, file, (share) => shares.push(share))
  if (output === null) return null
  const { blob, ...details } = output
  const bytes = new Uint8Array(await blob.arrayBuffer())
  return {
    text: output.compressed ? gunzipSync(bytes).toString() : new TextDecoder().decode(bytes),
    type: blob.type,
    ...details,
    shares,
  }
}

describe('a run in sequence', () => {
  test('takes each line through all stages, and outputs them in order with their number, size and checksum', async () => {
    const text = '{"a":"x","b":1}\n{"c":2}\n[3]\n'
    expect(await run(linear(['parseJson', 'wait']), fileOf(['{"b":1, "a":"x"}', '{"c":2}', '[3]']))).toEqual({
      text,
      type: 'text/plain',
      sha256: hashOf(text),
      records: 3,
      bytes: text.length,
      compressed: false,
      picture: null,
      shares: [1],
    })
  })

  test('leaves out jobs that a kernel refuses, and jobs that fail by the scenario at a stage on their path', async () => {
    const refused = await run(linear(['parseJson', 'validate']), fileOf(['{"a":1}', 'no JSON', '{"b":2}']))
    expect([refused?.text, refused?.records]).toEqual(['{"a":1}\n{"b":2}\n', 2])
    const stages = [
      { id: 'A', work: 'parseJson' },
      { id: 'B', work: 'wait', fails: { jobs: [0, 2], tries: 1 } },
    ]
    const failed = await run(linear([], { stages }), fileOf(['{"a":1}', '{"b":2}', '{"c":3}']))
    expect([failed?.text, failed?.records]).toEqual(['{"b":2}\n', 1])
  })

  test('follows the path of each job on a graph, and merges copies', async () => {
    const stages = [
      { id: 'A', work: 'parseJson', fanOut: { route: { B: 1, C: 1 } } },
      { id: 'B', work: 'validate' },
      { id: 'C', work: 'wait', fails: { jobs: [0, 1, 2, 3, 4, 5], tries: 1 } },
    ]
    const links = linksOf('source>A A>B A>C B>sink C>sink')
    const lines = Array.from({ length: 12 }, (_, job) => `{"n":"${job} "}`)
    const routed = scenarioWith({ source: { kind: 'lines', jobs: 12, digest: '' }, stages, links, workers: 2 })
    const way = (job: number) => routingOf(routed)(0, job)
    const left = [...lines.keys()].filter((job) => way(job) === 1 || job > 5)
    // Only B trims.
    expect((await run(routed, fileOf(lines)))?.text).toBe(
      left.map((job) => `{"n":"${job}${way(job) === 1 ? '' : ' '}"}\n`).join(''),
    )
    expect([left.length < 12, left.some((job) => way(job) === 2)]).toEqual([true, true])
    const copied = scenarioWith({
      source: { kind: 'lines', jobs: 1, digest: '' },
      stages: [
        { id: 'A', work: 'wait' },
        { id: 'B', work: 'parseJson' },
        { id: 'C', work: 'wait', join: 'all' },
      ],
      links: linksOf('source>A source>B A>C B>C C>sink'),
      workers: 2,
    })
    expect((await run(copied, fileOf(['[1]'])))?.text).toBe('{"A":"[1]","B":[1]}\n')
  })

  test('paints a picture tile by tile; a failed tile stays transparent', async () => {
    const picture: Picture = { kind: 'image', width: 20, height: 12, tile: 8, x: -0.6, y: 0, span: 3.2, iterations: 50 }
    const stages = ['mandelbrot', 'colour', 'antialias', 'qoi'].map((work, s) => ({
      id: `s${s}`,
      work,
      ...(s === 1 ? { fails: { jobs: [4], tries: 1 } } : {}),
    }))
    const output = await runInSequence(scenarioWith({ source: picture, stages, workers: 2 }), null, () => {})
    const plain = createPicturePayloads(picture)
    for (const job of [0, 1, 2, 3, 5]) {
      plain.put(job, 0, antialias(colour(mandelbrot(plain.at(job, 0) as Parameters<typeof mandelbrot>[0]))))
      plain.release(job)
    }
    const expected = await plain.output()
    expect([output?.sha256, output?.records, output?.bytes, output?.picture]).toEqual([
      expected.sha256,
      5,
      4 * 20 * 12,
      { width: 20, height: 12 },
    ])
    const pixels = new Uint8Array((await output?.blob.arrayBuffer()) ?? [])
    const alpha = (x: number, y: number) => pixels[4 * (y * 20 + x) + 3]
    expect([alpha(7, 8), alpha(8, 7), alpha(8, 8), alpha(15, 11), alpha(16, 11)]).toEqual([255, 255, 0, 0, 255])
  })
})
