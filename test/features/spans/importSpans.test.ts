import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { logOfRun, logPointAt, logPointsOf, rowsAt } from '../../../src/features/logs/measure/logPoints.ts'
import { spanFormatOf } from '../../../src/features/spans/read/spanFormats.ts'
import type { SpanChoice } from '../../../src/features/spans/read/spanJobs.ts'
import { spanRunOf } from '../../../src/features/spans/read/spanRun.ts'
import { readSpans } from '../../../src/features/spans/study/importSpans.ts'
import { lowerBoundOf } from '../../../src/measures/figures/lowerBound.ts'
import { figuresOf, metricsOf } from '../../../src/measures/figures/metrics.ts'
import { frameAt } from '../../../src/measures/frame/frame.ts'
import { kinds } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import { engineNames } from '../../../src/scenario/model/engines.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { readTraceJson } from '../../../src/trace/formats/readTraceJson.ts'
import { writeTraceJson } from '../../../src/trace/formats/traceJson.ts'
import type { Trace } from '../../../src/trace/trace.ts'
import { runHere } from '../../fixtures/commandHere.ts'
import { repeats } from '../../fixtures/extent.ts'
import { formats, servicesOf } from './spanFiles.ts'

const guess: SpanChoice = { job: null, stage: null, worker: null }

/** Reads bytes in small parts, as a stream brings them. */
async function imported(text: string | Uint8Array, choice: SpanChoice = guess, part = 1000) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const parts = async function* () {
    for (let from = 0; from < bytes.length; from += part) yield bytes.subarray(from, from + part)
  }
  return spanRunOf((await readSpans(parts())).table, choice, 'shop')
}

async function played(seed: number, more: object = {}): Promise<Trace> {
  const stages = [
    { id: 'A', name: 'zip up', service: { kind: 'exponential', mean: 4000 } },
    {
      id: 'B',
      name: 'enrich',
      service: { kind: 'lognormal', mean: 11_000, cv: 1.2 },
      ...(seed % 2 === 0 && { fails: { jobs: [5, 77], tries: 2 } }),
    },
    { id: 'C', name: 'auth', service: { kind: 'uniform', min: 100, max: 3000 } },
  ]
  const parsed = parse({
    version: 1,
    seed,
    source: { kind: 'poisson', rate: 150, jobs: 300 },
    stages,
    workers: 4,
    ...more,
  })
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  return playSimulation(parsed.scenario, 0)
}

/** The 99th percentile of flow times that begin at the first span of each job: the nearest rank. */
function fromFirstSpan({ services, jobs }: ReturnType<typeof servicesOf>): number {
  const first = jobs.map(() => Infinity)
  for (const { job, began } of services) first[job] = Math.min(first[job], began)
  const flow = jobs.map(({ left }, job) => left - first[job]).sort((a, b) => a - b)
  return flow[Math.ceil(flow.length * 0.99) - 1]
}

test.each(Object.keys(formats))('a run written as %s comes back with its figures', async (format) => {
  for (let seed = 1; seed <= repeats(4); seed++) {
    const trace = await played(seed)
    const run = servicesOf(trace)
    const before = metricsOf(trace)
    const { trace: after, notes } = await imported(formats[format](run))
    const figures = metricsOf(after)
    // Neither in the order of the alphabet nor of the file.
    expect(after.scenario.stages.map(({ name }) => name)).toEqual(['zip up', 'enrich', 'auth'])
    expect(figures.stages.map(({ meanService }) => meanService)).toEqual(
      before.stages.map(({ meanService }) => meanService),
    )
    expect([figures.completed, figures.failed, after.scenario.workers]).toEqual([before.completed, before.failed, 4])
    const isRooted = !/chrome|lines/.test(format)
    expect(figures.p99FlowTime).toBe(isRooted ? before.p99FlowTime : fromFirstSpan(run))
    expect(notes.join()).toMatch(isRooted ? /^$/ : /^Jobs without an arrival time: 300 of 300/)
    const read = readTraceJson([...writeTraceJson(after)].join(''))
    expect('problems' in read ? read.problems : []).toEqual([])
  }
})

test('stages side by side become a fork and a join', async () => {
  const stages = ['A', 'B', 'C', 'D'].map((id) => ({
    id,
    service: { kind: 'exponential', mean: 5000 },
    ...(id === 'D' && { join: 'all' }),
  }))
  const links = [
    ['source', 'A'],
    ['A', 'B'],
    ['A', 'C'],
    ['B', 'D'],
    ['C', 'D'],
    ['D', 'sink'],
  ]
  const trace = await played(3, { stages, links })
  const { trace: after } = await imported(formats.otlp(servicesOf(trace)))
  const named = (id: string) => after.scenario.stages.find((stage) => stage.id === id)?.name ?? id
  expect(after.scenario.links.map((link) => link.map(named).join(' ')).sort()).toEqual(
    links.map((link) => link.join(' ')).sort(),
  )
  const [a, b] = [metricsOf(trace), metricsOf(after)]
  expect([b.completed, b.p99FlowTime, b.meanFlowTime]).toEqual([a.completed, a.p99FlowTime, a.meanFlowTime])
})

test('stages that jobs pass over become routes', async () => {
  const stages = ['A', 'B', 'C'].map((id) => ({
    id,
    service: { kind: 'exponential', mean: 5000 },
    ...(id === 'A' && { fanOut: { route: { B: 1, C: 2 } } }),
  }))
  const links = [
    ['source', 'A'],
    ['A', 'B'],
    ['A', 'C'],
    ['B', 'C'],
    ['C', 'sink'],
  ]
  const trace = await played(3, { stages, links })
  const { trace: after } = await imported(formats.jaeger(servicesOf(trace)))
  expect(after.scenario.links).toEqual(links)
  expect(metricsOf(after).p99FlowTime).toBe(metricsOf(trace).p99FlowTime)
})

test('gzip is unpacked, and a file that breaks off says so', async () => {
  const run = servicesOf(await played(1))
  const text = formats.otlp(run)
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
  const { trace } = await imported(new Uint8Array(await new Response(packed).arrayBuffer()))
  expect(metricsOf(trace).completed).toBe(300)
  const parts = async function* () {
    yield new TextEncoder().encode(text.slice(0, -700))
  }
  expect((await readSpans(parts())).notes).toEqual(['The file breaks off; its last record is left out.'])
  await expect(imported(text, { job: 'colour', stage: null, worker: null })).rejects.toThrow(
    'found "colour"; allowed: trace, name, worker.id, service.name',
  )
})

test('an attribute that does not tell jobs apart is refused with a reason', async () => {
  const text = Array.from({ length: 60 }, (_, k) =>
    JSON.stringify({ job: 'p', stage: k % 2 === 0 ? 'parse' : 'store', began: 1000 * k, ended: 1000 * k + 500 }),
  )
  const message =
    'no job is left: each comes to a stage more than 16 times, or in another order than the others. Name an attribute that tells jobs apart'
  await expect(imported(text.join('\n'), { job: 'job', stage: null, worker: null })).rejects.toThrow(
    expect.objectContaining({ path: '--job', message }),
  )
})

test('no figure has a lower bound above the makespan, though the scenario of a run draws its services again', async () => {
  let above = 0
  for (let seed = 1; seed <= 6; seed++) {
    const { trace } = await imported(
      formats.otlp(servicesOf(await played(seed, { source: { kind: 'batch', jobs: 300 }, workers: 2 }))),
    )
    const { metrics, bound } = figuresOf(trace)
    if (lowerBoundOf(trace.scenario).time > metrics.makespan) above++
    expect(bound.time).toBeLessThanOrEqual(metrics.makespan)
  }
  expect(above).toBeGreaterThan(0)
})

test('without a worker in the file, overlaps tell how many there were, and it is said', async () => {
  const run = servicesOf(await played(1))
  const text = formats.zipkin(run).replaceAll(/"worker":"\d+"/g, '"colour":"red"')
  const { trace, notes, chosen } = await imported(text)
  expect(chosen.worker).toBeNull()
  expect(notes.join()).toMatch(/No attribute names a worker/)
  expect(metricsOf(trace).p99FlowTime).toBe(metricsOf(await played(1)).p99FlowTime)
})

test('the command prints the summary, and writes a trace that the command check accepts, and refuses once a row is wrong', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spans-'))
  const [spans, out] = [join(folder, 'spans.json'), join(folder, 'run.json')]
  const trace = await played(1)
  writeFileSync(spans, formats.otlp(servicesOf(trace)))
  const { status, out: printed } = await runHere('import', spans, '--json', '--trace', out)
  expect(status).toBe(0)
  const { completed, meanFlowTime, p99FlowTime, stages } = JSON.parse(printed)
  const before = metricsOf(trace)
  expect([completed, meanFlowTime, p99FlowTime]).toEqual([before.completed, before.meanFlowTime, before.p99FlowTime])
  expect(stages.map(({ name, meanService }: { name: string; meanService: number }) => [name, meanService])).toEqual(
    ['zip up', 'enrich', 'auth'].map((name, s) => [name, before.stages[s].meanService]),
  )
  for (const [s, { p99Service }] of stages.entries()) {
    const times = servicesOf(trace).services.filter(({ stage }) => stage === trace.scenario.stages[s].name)
    const sorted = times.map(({ began, ended }) => ended - began).sort((a, b) => a - b)
    expect(p99Service).toBe(sorted[Math.ceil(0.99 * sorted.length) - 1])
  }
  expect(await runHere('check', out)).toMatchObject({
    status: 0,
    out: expect.stringContaining('300 jobs of which 300 completed'),
  })
  writeFileSync(out, readFileSync(out, 'utf8').replace('"job":[0,', '"job":[1,'))
  expect(await runHere('check', out)).toMatchObject({ status: 1, err: expect.stringContaining('events.job[0]') })
  expect((await runHere('import', out)).err).toContain('is a trace; open it')
  writeFileSync(out, 'time,stage,queue\n')
  expect((await runHere('check', out)).err).toContain(
    'this is not a trace, which begins with {"format": "apportion-trace"',
  )
  expect((await runHere('import', spans, '--job', 'colour')).err).toContain('allowed: trace, name, worker.id')
  rmSync(folder, { recursive: true })
})

test('the command shows the work of a stage as a share of its own workers, and says how many they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spans-'))
  const spans = join(folder, 'spans.json')
  const trace = await played(1, { workers: 5, policy: { kind: 'fixed', allocation: { A: 1, B: 3, C: 1 } } })
  writeFileSync(spans, formats.otlp(servicesOf(trace)))
  const { out } = await runHere('import', spans)
  for (const [s, workers] of [1, 3, 1].entries()) {
    const { name } = trace.scenario.stages[s]
    const share = (metricsOf(trace).stages[s].meanService * 300) / (workers * metricsOf(trace).makespan)
    expect(out).toMatch(new RegExp(`^${name} +${(share * 100).toFixed(1)}% of ${workers} `, 'm'))
  }
  rmSync(folder, { recursive: true })
})

test('the command lists what the scheduler of the system decided, beside our decision with the queues of that instant', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'spans-'))
  const [spans, decided] = [join(folder, 'spans.json'), join(folder, 'decided.jsonl')]
  const trace = await played(1)
  writeFileSync(spans, formats.otlp(servicesOf(trace)))
  // The epoch of the spans, and 1 s later.
  writeFileSync(
    decided,
    JSON.stringify({ time: 1_790_000_001, stage: 'enrich', from: 2, to: 3, reason: 'queue above 5' }),
  )
  const { status, out, err } = await runHere('import', spans, '--decisions', decided, '--json')
  expect([status, status === 0 ? '' : err]).toEqual([0, ''])
  const { decisions } = JSON.parse(out)
  expect(decisions).toMatchObject([
    {
      stage: 'enrich',
      from: 2,
      to: 3,
      reason: 'queue above 5',
      ours: { sentence: expect.stringMatching(/ gets \d of 4 seats/) },
    },
  ])
  const log = logOfRun(trace)
  const points = logPointsOf(log)
  for (const time of [0, 200_000, 1_000_000, 1_500_000]) {
    const rows = rowsAt(points, logPointAt(points, time))
    const frame = frameAt(trace, points.time[logPointAt(points, time)])
    expect(rows.map((row) => [log.queue[row], log.workers[row], log.completed?.[row]])).toEqual(
      frame.stages.map(({ waiting, staffed, finished }) => [waiting, staffed, finished]),
    )
  }
  expect(Math.max(...log.queue)).toBeGreaterThan(2)
  expect((await runHere('import', spans, '--decisions', decided)).out).toMatch(
    /enrich from 2 to 3: queue above 5\n +ours: /,
  )
  expect((await runHere('import', spans, '--decisions', spans)).err).toContain('has no decisions of a scheduler')
  rmSync(folder, { recursive: true })
})

test('pairs without a thread, and numbers in names, as Node writes its user timing', async () => {
  const events = Array.from({ length: 80 }, (_, job) => [
    ...['fetch', 'parse'].flatMap((name, s) =>
      ['b', 'e'].map((ph, k) => ({
        pid: 7,
        tid: 7,
        ts: job * 900 + s * 700 + k * 600,
        ph,
        cat: 'node,node.perf,node.perf.usertiming',
        name: `${name} ${job}`,
        id: `0x${job}`,
        args: {},
      })),
    ),
  ]).flat()
  const { trace, chosen } = await imported(
    JSON.stringify({
      traceEvents: [{ ph: 'M', cat: '__metadata', name: 'process_name', ts: 0 }, ...events.sort((a, b) => a.ts - b.ts)],
    }),
  )
  expect(trace.scenario.stages.map(({ name }) => name)).toEqual(['fetch', 'parse'])
  expect(chosen.job).toBe('the number in the name')
  expect(metricsOf(trace)).toMatchObject({
    completed: 80,
    p99FlowTime: 1300,
    stages: [{ meanService: 600 }, { meanService: 600 }],
  })
})

test('tasks as Ray writes them: the parts of a task on the thread of its worker', async () => {
  const events = Array.from({ length: 40 }, (_, task) =>
    ['task:deserialize_arguments', 'task:execute', 'task:store_outputs'].map((name, s) => ({
      cat: name,
      name,
      pid: 'Node 10.0.0.1',
      tid: `worker:${task % 4}`,
      ts: Math.floor(task / 4) * 5000 + s * 1000 + 0.5,
      dur: 900.25,
      ph: 'X',
      cname: 'generic_work',
      args: { name: 'work', task_id: `t${task}`, job_id: '01000000' },
    })),
  ).flat()
  const { trace, chosen } = await imported(JSON.stringify(events))
  expect(chosen).toEqual({ job: 'task_id', stage: 'name', worker: 'thread' })
  expect([trace.scenario.workers, metricsOf(trace).completed, trace.scenario.stages.length]).toEqual([4, 40, 3])
})

test('a worker that has several jobs at once counts as several, and clocks that differ a little change nothing', async () => {
  const lines = Array.from({ length: 50 }, (_, job) => [
    { job, stage: 'A', worker: 'a', began: job * 1000, ended: job * 1000 + 1010 },
    { job, stage: 'B', worker: 'b', began: job * 1000 + 1000, ended: job * 1000 + 2900 },
  ]).flat()
  const { trace, notes } = await imported(lines.map((line) => JSON.stringify(line)).join('\n'))
  expect(trace.scenario.links).toEqual([
    ['source', 'A'],
    ['A', 'B'],
    ['B', 'sink'],
  ])
  expect(trace.scenario.workers).toBe(3)
  expect(notes.join()).toContain('Workers by worker: 2. They had several jobs at once, so they count as 3.')
})

test('the JSON Schema of traces accepts what is written, and nothing with a row that lacks a column', async () => {
  const [schema, scenarios] = ['trace', 'scenario'].map((name) =>
    JSON.parse(readFileSync(`public/${name}.schema.json`, 'utf8')),
  )
  const ajv = new Ajv2020({ strict: false }).addSchema(scenarios, 'scenario.schema.json')
  expect(schema.properties.kinds.items.enum).toEqual(kinds)
  expect(new Set(schema.properties.engine.enum)).toEqual(new Set(engineNames))
  const { trace } = await imported(formats.otlp(servicesOf(await played(2))))
  const written = JSON.parse([...writeTraceJson(trace)].join(''))
  const accepts = ajv.compile(schema)
  expect([accepts(written), accepts.errors]).toEqual([true, null])
  const { worker: _, ...rest } = written.events
  expect(accepts({ ...written, events: rest })).toBe(false)
})

describe('what a scenario does not say by itself is said', () => {
  const line = (job: number, stage: string, worker: string, began: number, ended: number) =>
    JSON.stringify({ job, stage, worker, began, ended })
  const notesOf = async (lines: readonly string[]) => (await imported(lines.join('\n'))).notes.join('\n')
  const every = (jobs: number, of: (job: number) => readonly string[]) =>
    Array.from({ length: jobs }, (_, job) => of(job)).flat()

  test('service times of a job that are correlated, and only those', async () => {
    const took = (job: number) => 100 + ((job * 37) % 101)
    const lines = every(200, (job) => {
      const at = job * 1000
      return [
        line(job, 'A', 'a', at, at + took(job)),
        line(job, 'B', 'b', at + 300, at + 300 + took(job)),
        line(job, 'C', 'c', at + 600, at + 700 + ((job * job) % 89)),
      ]
    })
    const notes = await notesOf(lines)
    expect(notes).toContain('The service times of a job at "A" and "B" are correlated: 1.00 by rank.')
    expect(notes.match(/are correlated/g)).toHaveLength(1)
  })

  test('stages side by side', async () => {
    const lines = every(60, (job) => {
      const at = job * 1000
      return [
        line(job, 'A', 'a', at, at + 100),
        line(job, 'B', 'b', at + 150, at + 400),
        line(job, 'C', 'c', at + 150, at + 450),
        line(job, 'D', 'd', at + 500, at + 600),
      ]
    })
    expect(await notesOf(lines)).toContain(
      'Jobs are at "B" and "C" side by side, and "D" waits for all of their parts.',
    )
  })

  test('workers that come and go', async () => {
    const lines = every(100, (job) => [
      line(job, 'A', job % 2 === 1 && job > 30 && job < 80 ? 'late' : 'first', job * 1000, job * 1000 + 700),
    ])
    expect(await notesOf(lines)).toContain('Workers that came during the run: 1, that went: 1.')
    const all = every(100, (job) => [line(job, 'A', job % 2 === 1 ? 'late' : 'first', job * 1000, job * 1000 + 700)])
    expect(await notesOf(all)).not.toContain('Workers that came')
  })
})

describe('lines of pino', () => {
  const line = (time: number, more: object) => JSON.stringify({ level: 30, time, pid: 7, hostname: 'h', ...more })

  test('that say how long a job took at a stage are spans that end there; others are left out', async () => {
    const lines = [line(999, { msg: 'started' })]
    for (let job = 0; job < 60; job++)
      for (const [s, stage] of ['parse', 'deliver'].entries())
        lines.push(line(1000 + 100 * job + 40 * s, { stage, job, worker: stage, durationMs: 20 + s, msg: 'done' }))
    const { trace, chosen, notes } = await imported(lines.join('\n'))
    expect(spanFormatOf(lines.join('\n'))).toBe('pino')
    expect(trace.scenario.stages.map(({ name }) => name)).toEqual(['parse', 'deliver'])
    expect(metricsOf(trace).stages.map(({ meanService }) => meanService)).toEqual([20_000, 21_000])
    expect(metricsOf(trace).completed).toBe(60)
    expect(chosen).toEqual({ job: 'job', stage: 'stage', worker: 'worker' })
    expect(notes.join()).not.toContain('Records without')
  })
})

describe('a service that has enqueued its job for the next stage before it ends', () => {
  /** Lines of Node's channel, in milliseconds: `fetch` enqueues for others at its sixth millisecond and ends at the tenth. */
  const lines = (others: readonly string[], queuedAt: number) =>
    Array.from({ length: 40 }, (_, job) => {
      const from = 1_795_000_000_000 + 30 * job
      const line = (stage: string, queued: number, began: number, ended: number) =>
        JSON.stringify({
          job,
          stage,
          enqueued_at: (from + queued) * 1000,
          began: (from + began) * 1000,
          ended: (from + ended) * 1000,
        })
      return [
        line('fetch', 0, 1, 10),
        ...others.map((stage, k) => line(stage, queuedAt + k, (job % 4 === 0 ? 7 : 11) + k, 20)),
      ].join('\n')
    }).join('\n')

  test('comes before it: the service is cut where the next one begins, with a note', async () => {
    const { trace, notes } = await imported(lines(['parse'], 6))
    expect(trace.scenario.links).toEqual([
      ['source', 'fetch'],
      ['fetch', 'parse'],
      ['parse', 'sink'],
    ])
    const { stages, completed } = metricsOf(trace)
    expect(completed).toBe(40)
    expect(stages.map(({ meanService }) => meanService)).toEqual([
      (30 * 9000 + 10 * 6000) / 40,
      (30 * 9000 + 10 * 13_000) / 40,
    ])
    expect(notes.join(' ')).toContain('10 services had not ended when the next service of their job began')
    expect(notes.join(' ')).toContain('3 ms earlier on average')
  })

  test('may have enqueued it for two stages, which stay side by side', async () => {
    const { trace } = await imported(lines(['parse', 'store'], 6))
    expect(trace.scenario.links).toEqual([
      ['source', 'fetch'],
      ['fetch', 'parse'],
      ['fetch', 'store'],
      ['parse', 'sink'],
      ['store', 'sink'],
    ])
    expect(metricsOf(trace).completed).toBe(40)
  })

  test('is beside a service that was enqueued before it began', async () => {
    const { trace } = await imported(lines(['parse'], 0))
    expect(trace.scenario.links.filter(([from]) => from === 'source')).toHaveLength(2)
  })
})
