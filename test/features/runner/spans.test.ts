import { rmSync } from 'node:fs'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Pipeline } from '../../../src/features/runner/pipeline.ts'
import type { PipelineOptions } from '../../../src/features/runner/settings.ts'
import { threadsOfNode } from './threadsOfNode.ts'

let threads: Awaited<ReturnType<typeof threadsOfNode>>
beforeAll(async () => {
  threads = await threadsOfNode()
})
afterAll(() => rmSync(threads.folder, { recursive: true, force: true }))

const millis = ([seconds, nanos]: readonly [number, number]) => seconds * 1000 + nanos / 1e6

/** Runs the inputs and returns the spans of each job, its own first. */
async function spansOf(options: Omit<PipelineOptions, 'worker'>, inputs: readonly unknown[], readAtMost = Infinity) {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const pipeline = new Pipeline({
    worker: threads.worker,
    workers: 2,
    onError: 'skip',
    tracer: provider.getTracer('test'),
    ...options,
  })
  const began = Date.now()
  let read = 0
  for await (const _ of pipeline.run(inputs)) if (++read >= readAtMost) break
  await pipeline.close()
  const ended = Date.now()
  const spans = exporter.getFinishedSpans()
  for (const span of spans) {
    expect(millis(span.startTime)).toBeGreaterThanOrEqual(began - 1)
    expect(millis(span.endTime)).toBeLessThanOrEqual(ended + 1)
    expect(millis(span.startTime)).toBeLessThanOrEqual(millis(span.endTime))
  }
  const own = spans.filter((span) => span.parentSpanContext === undefined)
  const jobs = own.map((span) => ({
    span,
    services: spans
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === span.spanContext().spanId)
      .sort((a, b) => millis(a.startTime) - millis(b.startTime)),
  }))
  expect(jobs.reduce((sum, { services }) => sum + 1 + services.length, 0)).toBe(spans.length)
  for (const { span, services } of jobs)
    for (const one of services) {
      expect(one.spanContext().traceId).toBe(span.spanContext().traceId)
      expect(one.attributes['apportion.job']).toBe(span.attributes['apportion.job'])
      expect(millis(one.startTime)).toBeGreaterThanOrEqual(millis(span.startTime))
      expect(millis(one.endTime)).toBeLessThanOrEqual(millis(span.endTime))
    }
  return new Map(jobs.map(({ span, services }) => [span.attributes['apportion.job'], { span, services }]))
}

const exceptions = ({ events }: ReadableSpan) => events.map(({ attributes }) => attributes?.['exception.message'])

test('every input is a span with one of each service, those that threw and those whose thread ended included', async () => {
  const numbers = [1, 1234, 400, 5]
  const jobs = await spansOf(
    { stages: ['parse', { id: 'fussy', tries: 2 }, 'mortal', 'slow'], batch: { size: 1 } },
    numbers.map((n) => JSON.stringify({ n })),
  )
  expect(jobs.size).toBe(4)
  const told = (job: number) =>
    jobs.get(job)?.services.map(({ name, attributes, status }) => [name, attributes['apportion.tries'], status.code])
  // Another thread may have ended at it, with input 2.
  const well = jobs.get(0)?.services.filter(({ status }) => status.code === 0)
  expect(well?.map(({ name }) => name)).toEqual(['parse', 'fussy', 'mortal', 'slow'])
  expect(told(1)).toEqual([
    ['parse', 1, 0],
    ['fussy', 1, 2],
    ['fussy', 2, 2],
  ])
  expect(jobs.get(1)?.span.status).toEqual({ code: 2, message: 'cannot bear 1234' })
  expect(jobs.get(1)?.services.slice(1).map(exceptions)).toEqual([['cannot bear 1234'], ['cannot bear 1234']])
  expect(jobs.get(1)?.services[1].events[0].attributes?.['exception.type']).toBe('RangeError')
  // A thread that ends may take the reply to its batch before with it. Then it is not known that it had begun this one.
  expect(told(2)?.slice(2, 3)).toEqual([['mortal', 1, 2]])
  expect(told(2)?.slice(-2)).toEqual([
    ['mortal', expect.any(Number), 0],
    ['slow', 1, 0],
  ])
  expect(jobs.get(2)?.span.status.code).toBe(0)
  const slow = well?.[3]
  if (slow === undefined) expect.fail()
  expect(millis(slow.endTime) - millis(slow.startTime)).toBeGreaterThan(4)
  expect(slow.attributes).toMatchObject({
    'apportion.stage': 'slow',
    'apportion.worker': expect.any(Number),
    'apportion.wait_ms': expect.any(Number),
  })
})

test('in a graph every part has its span; when a loop is left, the spans of what is inside end with an error', async () => {
  const diamond: PipelineOptions['links'] = [
    ['source', 'left'],
    ['source', 'right'],
    ['left', 'both'],
    ['right', 'both'],
    ['both', 'sink'],
  ]
  const graph = await spansOf({ stages: ['left', 'right', { id: 'both', join: 'all' }], links: diamond }, [1, 2, 3])
  for (const { services } of graph.values())
    expect(services.map(({ name }) => name).sort()).toEqual(['both', 'left', 'right'])
  const left = await spansOf({ stages: ['slow'], highWaterMark: 8 }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 2)
  const unfinished = [...left.values()].filter(({ span }) => span.status.code === 2)
  expect(unfinished.length).toBeGreaterThan(0)
  expect(unfinished[0].span.status.message).toMatch(/ended before/)
})
