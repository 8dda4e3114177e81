import { expect, test } from 'vitest'
import { spanRunOf } from '../../../src/features/spans/read/spanRun.ts'
import { readSpans } from '../../../src/features/spans/study/importSpans.ts'
import { metricsOf } from '../../../src/measures/figures/metrics.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { formats, servicesOf } from './spanFiles.ts'

const guess = { job: null, stage: null, worker: null }

/** Reads a text in small parts, as a stream brings it. */
async function imported(text: string, part = 1000, choice = guess) {
  const bytes = new TextEncoder().encode(text)
  const parts = async function* () {
    for (let from = 0; from < bytes.length; from += part) yield bytes.subarray(from, from + part)
  }
  return spanRunOf((await readSpans(parts())).table, choice, 'shop')
}

async function run(seed: number, more: object = {}): Promise<Trace> {
  const parsed = parse({
    version: 1,
    seed,
    source: { kind: 'poisson', rate: 150, jobs: 400 },
    stages: [
      { id: 'A', name: 'zip up', service: { kind: 'exponential', mean: 4000 } },
      { id: 'B', name: 'enrich', service: { kind: 'lognormal', mean: 11_000, cv: 1.2 }, ...(seed % 2 === 0 && { fails: { jobs: [5, 77], tries: 2 } }) },
      { id: 'C', name: 'auth', service: { kind: 'uniform', min: 100, max: 3000 } },
    ],
    workers: 4,
    ...more,
  })
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  return playSimulation(parsed.scenario, 0)
}

test.each(Object.keys(formats))('a run written as %s comes back with its figures', async (format) => {
  for (let seed = 1; seed <= 3; seed++) {
    const trace = await run(seed)
    const before = metricsOf(trace)
    const { trace: after } = await imported(formats[format](servicesOf(trace)))
    const figures = metricsOf(after)
    console.log(
      format,
      seed,
      before.p99FlowTime,
      figures.p99FlowTime,
      before.completed,
      figures.completed,
      before.meanFlowTime,
      figures.meanFlowTime,
      after.scenario.stages.map((s) => s.name),
      after.scenario.workers,
      notes,
    )
    expect(after.scenario.stages.map(({ name }) => name)).toEqual(['zip up', 'enrich', 'auth'])
    expect(figures.stages.map(({ meanService }) => meanService)).toEqual(before.stages.map(({ meanService }) => meanService))
    expect([figures.completed, figures.failed]).toEqual([before.completed, before.failed])
    expect(readTraceJson([...writeTraceJson(after)].join(''))).toHaveProperty('trace')
  }
})
