import { FAILED, FINISHED, RELEASED, STARTED, THREW } from '../../../src/pipeline/rows.ts'
import { type Trace, traceRow } from '../../../src/trace/trace.ts'

/** A service of a run, or the try of one that failed. */
export interface Service {
  readonly job: number
  readonly stage: string
  readonly worker: number
  readonly began: number
  readonly ended: number
  readonly error: string | null
}

export interface Job {
  readonly came: number
  left: number
}

/** Returns what a run of one job in a hand did, in microseconds since `epoch`. */
export function servicesOf(
  trace: Trace,
  epoch = 1_790_000_000_000_000,
): { readonly services: Service[]; readonly jobs: Job[] } {
  const services: Service[] = []
  const jobs: Job[] = []
  const begun = new Map<number, { job: number; time: number }>()
  for (let i = 0; i < trace.length; i++) {
    const { time, kind, stage, worker, job, began, ended } = traceRow(trace, i)
    const name = trace.scenario.stages[stage]?.name ?? ''
    if (kind === STARTED) begun.set(worker, { job, time })
    else if (kind === FINISHED)
      services.push({ job, stage: name, worker, began: epoch + began, ended: epoch + ended, error: null })
    else if (kind === THREW) {
      const { job: held, time: from } = begun.get(worker) ?? { job, time }
      services.push({ job: held, stage: name, worker, began: epoch + from, ended: epoch + time, error: 'no paper' })
    } else if (kind === RELEASED || kind === FAILED) jobs[job].left = epoch + time
    else if (trace.scenario.stages.length > 0 && kind === 4) jobs[job] = { came: epoch + time, left: Number.NaN }
  }
  return { services, jobs }
}

const hex = (number: number, digits: number) => (number + 1).toString(16).padStart(digits, '0')
const nanos = (micros: number) => `${micros}000`

type Writer = (run: ReturnType<typeof servicesOf>) => string

/** Writers of the five formats. Each has a root span of each job where the format has parents. */
export const formats: Readonly<Record<string, Writer>> = {
  otlp: ({ services, jobs }) =>
    JSON.stringify({
      resourceSpans: [
        {
          resource: { attributes: [text('service.name', 'shop')] },
          scopeSpans: [{ scope: { name: 'x' }, spans: otlpSpans(services, jobs) }],
        },
      ],
    }),
  otlpLines: ({ services, jobs }) =>
    otlpSpans(services, jobs)
      .map((span) => JSON.stringify({ resourceSpans: [{ resource: {}, scopeSpans: [{ spans: [span] }] }] }))
      .join('\n'),
  chrome: ({ services }) => JSON.stringify({ traceEvents: services.map(complete), displayTimeUnit: 'ms' }),
  // Some programs never close their list.
  chromeOpen: ({ services }) => `[\n${services.map((service) => JSON.stringify(complete(service))).join(',\n')},`,
  chromePairs: ({ services }) =>
    JSON.stringify(
      services
        .flatMap(({ worker, stage, began, ended, job, error }, i) => [
          {
            ph: 'B',
            pid: 1,
            tid: worker,
            name: stage,
            ts: began,
            args: { job, ...(error && { error }) },
            order: 2 * i + 1,
          },
          { ph: 'E', pid: 1, tid: worker, ts: ended, order: 2 * i },
        ])
        .sort((a, b) => a.ts - b.ts || (a.ph === b.ph ? 0 : a.ph === 'E' ? -1 : 1)),
    ),
  jaeger: ({ services, jobs }) =>
    JSON.stringify({
      data: jobs.map(({ came, left }, job) => ({
        traceID: hex(job, 32),
        spans: [
          {
            traceID: hex(job, 32),
            spanID: hex(job, 16),
            operationName: 'order',
            references: [],
            startTime: came,
            duration: left - came,
            tags: [],
            processID: 'p1',
          },
          ...services.flatMap((service, i) =>
            service.job !== job
              ? []
              : [
                  {
                    traceID: hex(job, 32),
                    spanID: hex(jobs.length + i, 16),
                    operationName: service.stage,
                    references: [{ refType: 'CHILD_OF', traceID: hex(job, 32), spanID: hex(job, 16) }],
                    startTime: service.began,
                    duration: service.ended - service.began,
                    tags: [
                      { key: 'worker', type: 'int64', value: service.worker },
                      ...(service.error === null ? [] : [{ key: 'error', type: 'bool', value: true }]),
                    ],
                    processID: 'p1',
                  },
                ],
          ),
        ],
        processes: { p1: { serviceName: 'shop', tags: [] } },
      })),
    }),
  zipkin: ({ services, jobs }) =>
    JSON.stringify([
      ...services.map(({ job, stage, worker, began, ended, error }, i) => ({
        traceId: hex(job, 16),
        id: hex(jobs.length + i, 16),
        parentId: hex(job, 16),
        name: stage,
        timestamp: began,
        ...(ended > began && { duration: ended - began }),
        localEndpoint: { serviceName: 'shop' },
        tags: { worker: `${worker}`, ...(error !== null && { error }) },
      })),
      ...jobs.map(({ came, left }, job) => ({
        traceId: hex(job, 16),
        id: hex(job, 16),
        name: 'order',
        timestamp: came,
        duration: left - came,
        localEndpoint: { serviceName: 'shop' },
      })),
    ]),
  lines: ({ services }) =>
    services
      .map(({ job, stage, worker, began, ended, error }) =>
        JSON.stringify({ job, stage, worker, began, ended, ...(error !== null && { error }) }),
      )
      .join('\n'),
}

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })

function otlpSpans(services: readonly Service[], jobs: readonly Job[]): object[] {
  return [
    ...services.map(({ job, stage, worker, began, ended, error }, i) => ({
      traceId: hex(job, 32),
      spanId: hex(jobs.length + i, 16),
      parentSpanId: hex(job, 16),
      name: stage,
      kind: 1,
      startTimeUnixNano: nanos(began),
      endTimeUnixNano: nanos(ended),
      attributes: [{ key: 'worker.id', value: { intValue: `${worker}` } }],
      status: error === null ? {} : { code: 2, message: error },
    })),
    ...jobs.map(({ came, left }, job) => ({
      traceId: hex(job, 32),
      spanId: hex(job, 16),
      name: 'order',
      startTimeUnixNano: nanos(came),
      endTimeUnixNano: nanos(left),
      status: {},
    })),
  ]
}

function complete({ job, stage, worker, began, ended, error }: Service): object {
  return {
    ph: 'X',
    pid: 1,
    tid: worker,
    name: stage,
    cat: 'work',
    ts: began,
    dur: ended - began,
    args: { job, ...(error !== null && { error }) },
  }
}
