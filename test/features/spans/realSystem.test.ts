import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { spanRunOf } from '../../../src/features/spans/read/spanRun.ts'
import { readSpans } from '../../../src/features/spans/study/importSpans.ts'
import { figuresOf } from '../../../src/measures/figures/metrics.ts'

interface Span {
  readonly traceId: string
  readonly name: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}
interface Line {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[]
}

test('the spans of a real system, as the JSON of otlp-transformer 0.223 has them, give its own figures', async () => {
  const packed = readFileSync(new URL('real/otlp.jsonl.gz', import.meta.url))
  const spans = gunzipSync(packed)
    .toString()
    .trim()
    .split('\n')
    .flatMap((line) =>
      (JSON.parse(line) as Line).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
    )
  const took = (name: string) =>
    spans
      .filter((span) => span.name === name)
      .map((span) => Number((BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1000n))
  const meanOf = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length
  async function* once() {
    yield new Uint8Array(packed)
  }
  const { table } = await readSpans(once())
  const run = spanRunOf(table, { job: null, stage: null, worker: null }, 'real')
  expect(run.trace.scenario.stages.map(({ name }) => name)).toEqual(['fetch', 'parse', 'enrich', 'deliver'])
  expect(run.chosen).toEqual({ job: 'trace', stage: 'name', worker: 'thread.name' })
  const { metrics } = figuresOf(run.trace)
  const near = (found: number, own: number) => expect(Math.abs(found / own - 1)).toBeLessThan(0.001)
  near(metrics.meanFlowTime, meanOf(took('job')))
  near(metrics.p99FlowTime, took('job').sort((a, b) => a - b)[Math.ceil(0.99 * took('job').length) - 1])
  for (const [s, { name }] of run.trace.scenario.stages.entries())
    near(metrics.stages[s].meanService, meanOf(took(name)))
  expect(metrics.completed).toBe(400)
})
