import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { createChart, extendChart } from '../../../src/measures/series/chart.ts'
import { FINISHED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { endOf, type Trace, traceRow } from '../../../src/trace/trace.ts'
import { defaultPalette, type Palette, stageColour, type Theme } from '../../../src/views/drawing/palette.ts'
import { type RecordData, recordSvg } from '../../../src/views/export/recordSvg.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'
import { workedExample } from '../../measures/scenarios.ts'

/** One row of pixels of a lane and its left edge, as in `recordSvg`. */
const LEFT = 118
const PLOT = 1056

function pictureOf(trace: Trace, theme: Theme, at: number, marks: NonNullable<RecordData['marks']> = []): string {
  const chart = createChart(trace)
  extendChart(chart)
  const frame = frameAt(trace, at)
  return recordSvg({
    palette: defaultPalette(theme),
    title: trace.scenario.title,
    end: endOf(trace),
    at,
    stages: trace.scenario.stages.map(({ name }) => name),
    workers: frame.workers.length,
    seatsAt: frame.stages.map(({ seats }) => seats),
    staffedAt: frame.stages.map(({ staffed }) => staffed),
    queues: chart.queues,
    seats: chart.seats,
    lanes: chart.lanes,
    widthOf,
    marks,
  })
}

/** As if all letters had the same width. */
const widthOf = (text: string, size: number) => 0.6 * size * [...text].length

const service = (mean: number) => ({ kind: 'constant', mean: mean * 1000 })

/** Small runs that differ in everything that such a picture shows. */
const kept: readonly (readonly [name: string, scenario: Scenario, theme: Theme])[] = [
  ['worked-example-light', workedExample, 'light'],
  ['worked-example-dark', workedExample, 'dark'],
  [
    'moves-and-a-bounded-queue',
    scenarioWith({
      title: 'Moves and a bounded queue',
      source: { kind: 'batch', jobs: 30 },
      stages: [
        { id: 'read', service: service(40) },
        { id: 'parse', service: service(90), capacity: 4 },
        { id: 'write', service: service(60), capacity: 2 },
      ],
      workers: 5,
      switchCost: 5000,
    }),
    'light',
  ],
  [
    'groups-before-a-resource',
    scenarioWith({
      title: 'Groups before a resource',
      source: { kind: 'groups', groups: [12, 6, 3], order: 'asProduced' },
      stages: [
        { id: 'fetch', service: service(20), resource: 'group', whenTaken: 'wait' },
        { id: 'store', service: service(30), resource: 'group', whenTaken: 'skip' },
      ],
      workers: 4,
    }),
    'light',
  ],
  [
    'an-elastic-pool',
    scenarioWith({
      title: 'An elastic pool',
      source: { kind: 'bursts', rate: 20, burstRate: 120, on: 300_000, off: 600_000, jobs: 60 },
      stages: [
        { id: 'A', service: service(40) },
        { id: 'B', service: service(25) },
      ],
      workers: 6,
      policy: { kind: 'threshold', high: 4, idle: 200_000, every: 50_000 },
    }),
    'light',
  ],
  [
    'faults',
    scenarioWith({
      title: 'Faults',
      source: { kind: 'batch', jobs: 24 },
      stages: [
        { id: 'A', service: service(50), fails: { jobs: [3, 7], tries: 2 } },
        { id: 'B', service: service(50) },
      ],
      workers: 4,
      workerEvents: [
        { at: 220_000, kind: 'crash', worker: 1 },
        { at: 400_000, kind: 'join', worker: 4 },
      ],
    }),
    'dark',
  ],
]

describe('a run as a separate picture', () => {
  // To accept an intended change of pictures: UPDATE_PICTURES=1 npx vitest run test/views/recordSvg, and look at them first.
  test.each(kept)('is drawn as it is kept in test/golden/drawings: %s', async (name, scenario, theme) => {
    const trace = await playSimulation(scenario, 0)
    const golden = new URL(`../../golden/drawings/${name}.svg`, import.meta.url)
    const svg = pictureOf(trace, theme, Math.round(endOf(trace) / 2))
    if (process.env.UPDATE_PICTURES === '1') writeFileSync(golden, svg)
    expect(svg).toBe(readFileSync(golden, 'utf8'))
  })

  test.each(kept)('shows in every column what a plain look at every row finds: %s', async (_, scenario, theme) => {
    const trace = await playSimulation(scenario, 0)
    const svg = pictureOf(trace, theme, 0)
    const palette = defaultPalette(theme)
    const lanes = lanesIn(svg, palette)
    expect(lanes).toHaveLength(frameAt(trace, 0).workers.length)
    lanes.forEach((lane, worker) => {
      expect(lane).toEqual(plainLane(trace, worker, palette))
    })
  })

  test('cuts a name to its room, and sets the width of each text, so that another font takes the same room', async () => {
    const name = 'A name that is far too long for its place'
    const trace = await playSimulation(
      scenarioWith({ stages: [{ id: 'A', name }], source: { kind: 'batch', jobs: 2 }, workers: 1, title: 'Wide' }),
      0,
    )
    const texts = [...pictureOf(trace, 'light', 0).matchAll(/<text([^>]*)>([^<]*)<\/text>/g)]
    const cut = texts.find(([, , words]) => words.startsWith('A name'))?.[2] ?? ''
    expect(cut).toMatch(/^A name th.*…$/)
    expect(widthOf(cut, 12)).toBeLessThanOrEqual(88)
    expect(widthOf(`${cut}x`, 12)).toBeGreaterThan(88)
    for (const [, attributes, words] of texts) {
      const size = Number(attributes.match(/font-size="([\d.]+)"/)?.[1] ?? 12)
      expect(Number(attributes.match(/textLength="([\d.]+)"/)?.[1])).toBeCloseTo(widthOf(words, size), 1)
    }
  })

  test('shows each fault of the run below the axis, at its time and with a text', async () => {
    const trace = await playSimulation(workedExample, 0)
    const marks = [
      { time: 1_500_000, kind: 'crash', label: 'Worker <2> crashes', colourIndex: null },
      { time: 3_000_000, kind: 'slower', label: 'B 5 times slower', colourIndex: 1 },
    ] as const
    const svg = pictureOf(trace, 'light', 0, marks)
    const below = svg.slice(svg.indexOf('3.0 s</text>'))
    const { ink } = defaultPalette('light')
    const stems = [...below.matchAll(/<path d="M([\d.]+),[\d.]+v5M[\d.]+,[\d.]+V[\d.]+" stroke="(.*?)"/g)].map(
      ([, x, colour]) => [Number(x), colour],
    )
    expect(stems).toEqual([
      [LEFT + PLOT / 2, ink],
      [LEFT + PLOT, stageColour(defaultPalette('light'), 1).fill],
    ])
    expect(below).toContain('Worker &lt;2&gt; crashes')
    expect(below).toMatch(/text-anchor="end"[^>]*>B 5 times slower/)
    const height = (text: string) => Number(/height="(\d+)"/.exec(text)?.[1])
    expect(height(svg)).toBeGreaterThan(height(pictureOf(trace, 'light', 0)))
  })

  test('stays small for a long run, and its title cannot inject markup', async () => {
    const scenario = scenarioWith({
      title: '<script>&"',
      stages: [{ id: 'A', name: '<b>' }, { id: 'B' }],
      source: { kind: 'poisson', rate: 900, jobs: 30_000 },
      workers: 8,
    })
    const svg = pictureOf(await playSimulation(scenario, 0), 'light', 1000)
    expect(svg.length).toBeLessThan(2_000_000)
    expect(svg).toContain('&lt;script&gt;&amp;&quot;')
    expect(svg).not.toMatch(/<script|<b>|NaN|undefined/)
  })

  test('of an empty run is a picture too', async () => {
    const nothing = scenarioWith({
      title: 'None',
      stages: [{ id: 'A' }],
      source: { kind: 'batch', jobs: 0 },
      workers: 1,
    })
    const svg = pictureOf(await playSimulation(nothing, 0), 'light', 0)
    expect(svg).not.toMatch(/NaN|undefined/)
  })
})

/** By worker the colours of the columns of a lane, read from the picture; '' where it is empty. A lane is a rectangle as wide as the plot, with bars on it. */
function lanesIn(svg: string, { bed }: Palette): string[][] {
  const lanes: string[][] = []
  for (const [, x, width, fill] of svg.matchAll(
    /<rect x="(\d+)" y="[\d.]+" width="(\d+)" height="[\d.]+" fill="(.*?)"\/>/g,
  )) {
    if (fill === bed) lanes.push(Array.from({ length: PLOT }, () => ''))
    else lanes.at(-1)?.fill(fill, Number(x) - LEFT, Number(x) - LEFT + Number(width))
  }
  return lanes
}

/** The same from the rows of the trace: in every column the stage with the most work, the first if several are equal. */
function plainLane(trace: Trace, worker: number, palette: Palette): string[] {
  const column = endOf(trace) / PLOT
  const spans = Array.from({ length: trace.length }, (_, i) => traceRow(trace, i)).filter(
    (row) => row.kind === FINISHED && row.worker === worker,
  )
  return Array.from({ length: PLOT }, (_, p) => {
    const busy = trace.scenario.stages.map(() => 0)
    for (const { stage, began, ended } of spans)
      busy[stage] += Math.max(0, Math.min(ended, (p + 1) * column) - Math.max(began, p * column))
    const most = Math.max(...busy)
    return most > 0 ? stageColour(palette, busy.indexOf(most)).fill : ''
  })
}
