import { FINISHED, rowTime, STARTED } from '../../../src/pipeline/rows.ts'
import { playSimulation } from '../../../src/runs/play/play.ts'
import type { Scenario } from '../../../src/scenario/model/scenario.ts'
import { createFollower, follow } from '../../../src/trace/follow.ts'
import { scenarioWith } from '../../fixtures/scenarios.ts'

/** What an exporter in the system shows at each second: waiting jobs, and counters of jobs and of the seconds that they took. */
export interface Watched {
  readonly names: readonly string[]
  readonly seconds: number
  readonly workers: readonly number[]
  /** By second and stage. */
  readonly queue: readonly (readonly number[])[]
  readonly completed: readonly (readonly number[])[]
  readonly took: readonly (readonly number[])[]
}

/** Four stages, named so that their order in the alphabet is not that of the pipeline. The third gets slower for a while. */
export function etl(jobs = 1500): Scenario {
  const stage = (id: string, mean: number) => ({ id, service: { kind: 'exponential', mean } })
  return scenarioWith({
    seed: 7,
    source: { kind: 'poisson', rate: 6, jobs },
    stages: [
      stage('fetch', 300_000),
      stage('parse', 120_000),
      {
        ...stage('enrich', 520_000),
        changes: [
          { from: jobs / 3, service: { kind: 'exponential', mean: 900_000 } },
          { from: (2 * jobs) / 3, service: { kind: 'exponential', mean: 520_000 } },
        ],
      },
      stage('store', 200_000),
    ],
    workers: 12,
    policy: { kind: 'fixed', allocation: { fetch: 3, parse: 2, enrich: 5, store: 2 } },
  })
}

/** Plays a scenario with a policy `fixed`, and watches it every second until the last job has left. */
export async function watched(scenario: Scenario): Promise<Watched> {
  const trace = await playSimulation(scenario, 0)
  const follower = createFollower(trace)
  const names = scenario.stages.map(({ name }) => name)
  const allocation = scenario.policy.kind === 'fixed' ? scenario.policy.allocation : {}
  const zeros = () => names.map(() => 0)
  const [completed, took, started] = [zeros(), zeros(), new Map<string, number>()]
  const samples: { queue: number[]; completed: number[]; took: number[] }[] = []
  const sampleUntil = (time: number) => {
    while (samples.length * 1_000_000 < time)
      samples.push({
        queue: Array.from(follower.counts.waiting).slice(0, names.length),
        completed: [...completed],
        took: [...took],
      })
  }
  follow(follower, Infinity, (rows, i) => {
    const time = rowTime(rows, i)
    sampleUntil(time)
    const [stage, job] = [rows.stage[i], rows.job[i]]
    if (rows.kind[i] === STARTED) started.set(`${stage} ${job}`, time)
    if (rows.kind[i] !== FINISHED) return
    completed[stage]++
    took[stage] += (time - (started.get(`${stage} ${job}`) ?? time)) / 1e6
  })
  sampleUntil((samples.length + 1) * 1_000_000)
  return {
    names,
    seconds: samples.length,
    workers: scenario.stages.map(({ id }) => allocation[id] ?? 1),
    queue: samples.map((each) => each.queue),
    completed: samples.map((each) => each.completed),
    took: samples.map((each) => each.took),
  }
}

/** From when on it is watched, in seconds since 1970. */
const ORIGIN = 1_772_442_000

/** The series of the process, as Prometheus sorts them: by name, then by label. `counters`: what it calls completed jobs; null: it has only the histogram. */
function seriesOf({ names, workers, queue, completed, took }: Watched, counters: string | null) {
  const own = { job: 'etl', instance: 'etl:9464' }
  const sorted = names.map((name, s) => [name, s] as const).sort(([a], [b]) => (a < b ? -1 : 1))
  const each = (name: string, of: (k: number, s: number) => number) =>
    sorted.map(([stage, s]) => ({ metric: { __name__: name, ...own, stage }, of: (k: number) => of(k, s) }))
  const alone = (name: string, value: (k: number) => number) => ({ metric: { __name__: name, ...own }, of: value })
  return [
    ...(counters === null ? [] : each(counters, (k, s) => completed[k][s])),
    alone('nodejs_eventloop_lag_seconds', (k) => 0.001 * (k % 3)),
    alone('nodejs_heap_size_used_bytes', (k) => 3e7 + 1e5 * (k % 40)),
    alone('process_cpu_seconds_total', (k) => 0.1 * k),
    each('queue_length', (k, s) => queue[k][s]),
    alone('scrape_duration_seconds', () => 0.004),
    alone('up', () => 1),
    each('work_seconds_count', (k, s) => completed[k][s]),
    each('work_seconds_sum', (k, s) => took[k][s]),
    each('workers', (_, s) => workers[s]),
  ].flat()
}

/** The answer to a range query for `{job="etl"}`. */
export function asRangeQuery(system: Watched, counters: string | null = 'jobs_completed_total'): string {
  const result = seriesOf(system, counters).map(({ metric, of }) => ({
    metric,
    values: Array.from({ length: system.seconds }, (_, k) => [ORIGIN + k, String(of(k))]),
  }))
  return JSON.stringify({ status: 'success', data: { resultType: 'matrix', result } })
}

/** Text that Prometheus scrapes, in OpenMetrics with times, or of one second without. */
export function asExposition(system: Watched, second: number | null = null): string {
  const text = (metric: Readonly<Record<string, string>>, value: number, time: string) => {
    const { __name__, ...labels } = metric
    const inside = Object.entries(labels).map(([label, of]) => `${label}="${of}"`)
    return `${__name__}{${inside.join(',')}} ${value}${time}`
  }
  const lines = seriesOf(system, 'jobs_completed_total').flatMap(({ metric, of }, i, all) => {
    const head =
      all[i - 1]?.metric.__name__ === metric.__name__
        ? []
        : [`# HELP ${metric.__name__} What it says.`, `# TYPE ${metric.__name__} gauge`]
    if (second !== null) return [...head, text(metric, of(second), '')]
    return [
      ...head,
      ...Array.from({ length: system.seconds }, (_, k) => text(metric, of(k), ` ${1000 * (ORIGIN + k)}`)),
    ]
  })
  return `${lines.join('\n')}\n`
}

/** A CSV with a row for each stage and second, in the order of the alphabet. */
export function asCsv({ names, workers, seconds, queue, completed, took }: Watched, isIncrement = false): string {
  const sorted = names.map((name, s) => [name, s] as const).sort(([a], [b]) => (a < b ? -1 : 1))
  const rows = Array.from({ length: seconds }, (_, k) =>
    sorted.map(([name, s]) => {
      const before = k === 0 ? 0 : completed[k - 1][s]
      const jobs = completed[k][s] - before
      const mean =
        jobs === 0 ? (k === 0 ? 100 : '') : ((1000 * (took[k][s] - (k === 0 ? 0 : took[k - 1][s]))) / jobs).toFixed(3)
      return `${ORIGIN + k},${name},${queue[k][s]},${mean},${workers[s]},${isIncrement ? jobs : completed[k][s]}`
    }),
  )
  return ['time,stage,queue,service_ms,workers,completed', ...rows.flat()].join('\n')
}
