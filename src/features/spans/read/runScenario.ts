import { t } from '../../../language/translate.ts'
import { MAX_ITEMS, MAX_SERVICES } from '../../../scenario/model/limits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { parse } from '../../../scenario/parse/parse.ts'
import { Refusal } from '../../../trace/json/refusal.ts'
import type { Trace } from '../../../trace/trace.ts'
import type { Workers } from './spanWorkers.ts'
import type { Flow } from './stageGraph.ts'

/** The most measured times that a stage keeps: as many as a scenario of 256 stages has room for, and enough for its tail. */
const SAMPLES = 1000

interface Measured {
  /** When each job came, in order. */
  readonly at: Float64Array
  readonly failures: Trace['failures']
  readonly title: string
  readonly last: number
}

/** Returns the scenario of a run: service times as measured, arrivals as they came, workers as they were. */
export function scenarioOfRun(flow: Flow, isIn: (i: number) => boolean, workers: Workers, { at, failures, title, last }: Measured): Scenario {
  const { graph, stage, began, ended, threw } = flow
  const { stages } = graph
  const times: number[][] = stages.map(() => [])
  /** By worker: its only stage; null: several. */
  const only = new Map<number, number | null>()
  for (let i = 0; i < stage.length; i++) {
    if (!isIn(i)) continue
    if (threw[i] === 0) times[stage[i]].push(ended[i] - began[i])
    const before = only.get(workers.worker[i])
    only.set(workers.worker[i], before === undefined || before === stage[i] ? stage[i] : null)
  }
  const failed = stages.map((): number[] => [])
  for (const failure of failures) if (failure.stage !== undefined && failure.job !== undefined) failed[failure.stage].push(failure.job)
  const room = (MAX_SERVICES - at.length * stages.length) / stages.length
  const allocation = Object.fromEntries(stages.map(({ id }, s) => [id, [...only.values()].filter((each) => each === s).length]))
  const parsed = parse({
    version: 1,
    title: [...title].slice(0, 80).join(''),
    source: sourceOf(at, last),
    stages: stages.map(({ id, name }, s) => ({
      id,
      name,
      service: serviceOf(times[s]),
      ...(failed[s].length > 0 && failed[s].length < Math.min(MAX_ITEMS, room) && { fails: { jobs: failed[s].sort((a, b) => a - b), tries: 1 } }),
      ...(graph.joins[s] > 1 && { join: 'all' }),
      ...(graph.routes &&
        graph.next[s].length > 1 && { fanOut: { route: Object.fromEntries(graph.next[s].map((to, k) => [stages[to].id, graph.weights[s][k]])) } }),
    })),
    links: graph.links,
    workers: Math.max(1, workers.count),
    // Each worker stays where it was seen.
    ...([...only.values()].every((each) => each !== null) && only.size > 0 && { policy: { kind: 'fixed', allocation } }),
  })
  if ('scenario' in parsed) return parsed.scenario
  const [{ path, message }] = parsed.problems
  throw new Refusal('', t('the spans make no pipeline: {path}: {message}', { path, message }))
}

function sourceOf(at: Float64Array, last: number): object {
  const jobs = at.length
  if (at.every((time) => time === 0)) return { kind: 'batch', jobs }
  if (jobs <= MAX_ITEMS) return { kind: 'times', at: [...at] }
  return { kind: 'regular', rate: Math.min(1_000_000, (jobs * 1e6) / Math.max(1, at[jobs - 1] ?? last)), jobs }
}

/** Returns the distribution of these times, with at most `SAMPLES` of them, of the same mean. */
function serviceOf(times: readonly number[]): object {
  if (times.length === 0) return { kind: 'constant', mean: 1 }
  const sorted = Float64Array.from(times).sort()
  const mean = sorted.reduce((sum, time) => sum + time, 0) / sorted.length
  if (sorted[0] === sorted[sorted.length - 1]) return { kind: 'constant', mean: Math.max(1, mean) }
  const count = Math.min(SAMPLES, sorted.length)
  const chosen = Array.from({ length: count }, (_, k) => sorted[Math.floor(((k + 0.5) * sorted.length) / count)])
  const scale =
    (mean * count) /
    Math.max(
      1,
      chosen.reduce((sum, time) => sum + time, 0),
    )
  return { kind: 'empirical', values: chosen.map((time) => Math.max(1, Math.round(time * scale))) }
}
