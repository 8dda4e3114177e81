import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createChart, extendChart } from '../../src/measures/chart.ts'
import { frameAt } from '../../src/measures/frame.ts'
import { playSimulation } from '../../src/runs/play.ts'
import type { Scenario } from '../../src/scenario/scenario.ts'
import { endOf } from '../../src/trace/trace.ts'
import { defaultPalette, type Theme } from '../../src/views/palette.ts'
import { recordSvg } from '../../src/views/recordSvg.ts'
import { parsed, workedExample } from '../measures/scenarios.ts'

async function pictureOf(scenario: Scenario, theme: Theme, at: number): Promise<string> {
  const trace = await playSimulation(scenario, 0)
  const chart = createChart(trace)
  extendChart(chart, trace)
  const frame = frameAt(trace, at)
  return recordSvg({
    palette: defaultPalette(theme),
    title: scenario.title,
    end: endOf(trace),
    at,
    stages: scenario.stages.map(({ name }) => name),
    workers: frame.workers.length,
    seatsAt: frame.stages.map(({ seats }) => seats),
    postedAt: frame.stages.map(({ posted }) => posted),
    queues: chart.queues,
    seats: chart.seats,
    lanes: chart.lanes,
  })
}

describe('a run as a picture of its own', () => {
  // UPDATE_PICTURES=1 draws them anew: look at them before they are kept.
  test.each(['light', 'dark'] as const)('is drawn as it is kept, in %s colours', async (theme) => {
    const golden = new URL(`../golden/worked-example-${theme}.svg`, import.meta.url)
    const svg = await pictureOf(workedExample, theme, 1_500_000)
    if (process.env.UPDATE_PICTURES) writeFileSync(golden, svg)
    expect(svg).toBe(readFileSync(golden, 'utf8'))
  })

  test('stays small for a long run, and what stands in a title does no harm', async () => {
    const scenario = parsed({
      title: '<script>&"',
      stages: [{ id: 'A', name: '<b>' }, { id: 'B' }],
      source: { kind: 'poisson', rate: 900, jobs: 30_000 },
      workers: 8,
    })
    const svg = await pictureOf(scenario, 'light', 1000)
    expect(svg.length).toBeLessThan(2_000_000)
    expect(svg).toContain('&lt;script&gt;&amp;&quot;')
    expect(svg).not.toMatch(/<script|<b>|NaN|undefined/)
  })

  test('of nothing is a picture too', async () => {
    const svg = await pictureOf(parsed({ title: 'None', stages: [{ id: 'A' }], source: { kind: 'batch', jobs: 0 }, workers: 1 }), 'light', 0)
    expect(svg).not.toMatch(/NaN|undefined/)
  })
})
