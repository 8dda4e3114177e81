import { isolated, t } from '../../../language/translate.ts'
import { frameAt } from '../../../measures/frame/frame.ts'
import { startUpAt, startUpsIn } from '../../../measures/frame/startUps.ts'
import { isElastic } from '../../../scenario/model/defaults.ts'
import { startingParams } from '../../../scenario/model/policies.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { countText } from '../../../scenario/model/words.ts'
import { constant, exponential, type Preset, presetsOf, stage } from '../../../scenario/presets/preset.ts'
import { endOf, type Trace } from '../../../trace/trace.ts'

const SECOND = 1_000_000

/** All workers of a stage, those that start up, and the jobs waiting; null: not said. */
interface Pool {
  readonly workers: number
  readonly starting: number | null
  readonly waiting: number | null
}

/** Published figures of a run of a real system. */
export interface Incident {
  /** The key of its preset. */
  readonly key: string
  readonly source: { readonly name: string; readonly url: string; readonly date: string }
  /** By stage, at the instant that the report describes; null: not said. */
  readonly published: readonly (Pool | null)[]
  /** Workers at work, of all CPUs. */
  readonly busy: number
  /** The report describes the first instant at which this many workers of a stage were ready. */
  readonly when: { readonly stage: number; readonly running: number }
  /** How long the whole run took; null: not said. */
  readonly makespan: Micros | null
}

const rayData = { kind: 'rayData', ...startingParams('rayData'), lend: false } as const

/** Two reports about Ray Data as scenarios, clients that give up, and urgent jobs. What is assumed: docs/known-systems.md. */
export const incidentPresets: readonly Preset[] = presetsOf({
  'ray-data-2026': {
    title: 'Ray Data, August 2026',
    about:
      'The first stage takes 83 CPUs in seconds. The second needs 70, but starts one slow actor at a time: thousands of blocks wait beside idle CPUs.',
    stages: [
      { ...stage('robber', 'Robber', constant(170_000)), startUp: constant(180_000) },
      { ...stage('bottleneck', 'Bottleneck', constant(210_000)), startUp: constant(7 * SECOND) },
    ],
    source: { kind: 'batch', jobs: 15_000 },
    workers: 128,
    policy: rayData,
    at: 21_500_000,
  },
  'ray-data-2025': {
    title: 'Ray Data, July 2025',
    about:
      'Four stages share 16 CPUs. Each may have up to 16 actors, but the slowest stage stops at four: the rest is reserved for the others.',
    stages: [
      { ...stage('download', 'Download', constant(100 * SECOND)), startUp: constant(2 * SECOND) },
      { ...stage('iterate', 'Iterate', constant(30 * SECOND)), startUp: constant(2 * SECOND) },
      { ...stage('extract', 'Extract', constant(700 * SECOND)), startUp: constant(2 * SECOND) },
      { ...stage('write', 'Write', constant(5 * SECOND)), startUp: constant(2 * SECOND) },
    ],
    source: { kind: 'regular', rate: 0.03, jobs: 60 },
    workers: 16,
    policy: { ...rayData, actor_pool_util_upscaling_threshold: 2, every: SECOND, max: 16 },
    at: 1500 * SECOND,
  },
  'retry-storm': {
    title: 'A retry storm',
    about:
      'For a while calls take eight times as long. Clients give up after 0.1 s and send again: most of what arrives are retries, and some give up for good.',
    stages: [
      {
        ...stage('api', 'API', { kind: 'erlang', mean: 10_000, k: 4 }),
        changes: [
          { from: 3000, service: { kind: 'erlang', mean: 80_000, k: 4 } },
          { from: 4200, service: { kind: 'erlang', mean: 10_000, k: 4 } },
        ],
      },
    ],
    source: {
      kind: 'poisson',
      rate: 600,
      jobs: 12_000,
      retry: { after: constant(100_000), limit: 8, backoff: 20_000 },
    },
    workers: 8,
  },
  'impatient-callers': {
    title: 'Impatient callers',
    about: 'More calls come than four people can take, but the queue does not grow: callers hang up.',
    stages: [stage('desk', 'Desk', exponential(180 * SECOND))],
    source: {
      kind: 'poisson',
      rate: 0.025,
      jobs: 20_000,
      retry: { after: exponential(120 * SECOND), limit: 0, backoff: 0 },
    },
    workers: 4,
  },
  'urgent-jobs': {
    title: 'Urgent jobs first',
    about:
      'One request in ten is urgent and hardly waits; six in ten wait longest. Results shows each class beside Cobham’s law. Ageing, in the form of the stage, shortens the longest waits.',
    stages: [{ ...stage('server', 'Server', exponential(10_000)), discipline: 'priority' }],
    source: { kind: 'poisson', rate: 380, jobs: 60_000, classes: [1, 3, 6] },
    workers: 4,
  },
})

export const incidents: readonly Incident[] = [
  {
    key: 'ray-data-2026',
    source: {
      name: 'ray-project/ray #65540',
      url: 'https://github.com/ray-project/ray/issues/65540',
      date: '2026-08-17',
    },
    published: [
      { workers: 83, starting: 0, waiting: null },
      { workers: 4, starting: 1, waiting: 6190 },
    ],
    busy: 86,
    when: { stage: 1, running: 3 },
    makespan: 178_320_000,
  },
  {
    key: 'ray-data-2025',
    source: {
      name: 'ray-project/ray #54540',
      url: 'https://github.com/ray-project/ray/issues/54540',
      date: '2025-07-11',
    },
    published: [
      null,
      { workers: 1, starting: null, waiting: null },
      { workers: 4, starting: null, waiting: null },
      null,
    ],
    busy: 6,
    when: { stage: 2, running: 4 },
    makespan: null,
  },
]
/** Returns the incident that a run plays again, under whatever policy; null for another pipeline. */
export function incidentOf({ stages, source }: Scenario): Incident | null {
  const own = JSON.stringify([stages.map(({ id, service, startUp }) => [id, service, startUp]), source])
  const preset = incidentPresets.find(
    ({ scenario }) =>
      own ===
      JSON.stringify([scenario.stages.map(({ id, service, startUp }) => [id, service, startUp]), scenario.source]),
  )
  return incidents.find(({ key }) => key === preset?.key) ?? null
}

/** A published figure and that of the run; `published` is null if none was published. */
export interface Beside {
  readonly name: string
  readonly published: string | null
  readonly here: string
}

/** Returns the instant of a run that the report describes, after the controllers have answered it; null if it never comes. */
export function momentIn(trace: Trace, { when: { stage, running } }: Incident): Micros | null {
  const { policy } = trace.scenario
  const ready = (startUpsIn(trace) ?? [])
    .flatMap((list) => list.filter((one) => one.stage === stage).map(({ until }) => until))
    .sort((a, b) => a - b)
  const time = ready[running - 1]
  return time === undefined || !isElastic(policy) ? null : Math.min(endOf(trace), time + 2 * policy.every)
}

/** Returns the published figures beside those of the run. `write` writes a time. */
export function besideOf(trace: Trace, incident: Incident, write: (time: Micros) => string): Beside[] {
  const { scenario } = trace
  const at = momentIn(trace, incident)
  const rows: Beside[] = []
  if (at !== null) {
    const { stages, workers } = frameAt(trace, at)
    scenario.stages.forEach(({ name }, s) => {
      const starting = workers.filter(
        (worker, w) => worker.stage === s && startUpAt(trace, w, worker, at) !== null,
      ).length
      const said = incident.published[s]
      const now = { workers: stages[s].staffed, starting, waiting: said?.waiting === null ? null : stages[s].waiting }
      rows.push({ name: isolated(name), published: said && poolText(said), here: poolText(now) })
    })
    const busy =
      stages.reduce((sum, stage) => sum + stage.busy, 0) -
      workers.filter((worker, w) => worker.status === 'busy' && startUpAt(trace, w, worker, at)).length
    const n = countText(scenario.workers)
    rows.push({
      name: t('at work'),
      published: t('{k} of {n}', { k: countText(incident.busy), n }),
      here: t('{k} of {n}', { k: countText(busy), n }),
    })
  }
  if (trace.ending !== 'drained') return rows
  return [
    ...rows,
    {
      name: t('until all is done'),
      published: incident.makespan === null ? null : write(incident.makespan),
      here: write(endOf(trace)),
    },
  ]
}

function poolText({ workers, starting, waiting }: Pool): string {
  const pool =
    starting === null || starting === 0
      ? countText(workers)
      : t('{workers, number} ({running, number} running, {starting, number} starting)', {
          workers,
          running: workers - starting,
          starting,
        })
  return waiting === null ? pool : t('{pool}, {waiting, number} waiting', { pool, waiting })
}
