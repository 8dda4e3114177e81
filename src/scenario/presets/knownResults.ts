import type { Scenario } from '../model/scenario.ts'
import { constant, exponential, linksOf, presetsOf, stage, stagesOf } from './preset.ts'

const sideBySide = {
  stages: [
    stage('A', 'Left half', constant(250_000)),
    stage('B', 'Right half', constant(250_000)),
    { ...stage('C', 'Put together', constant(250_000)), join: 'all' as const },
    stage('D', 'Check', constant(250_000)),
  ],
  links: linksOf('source>A source>B A>C B>C C>D D>sink'),
  source: { kind: 'batch', jobs: 5 } as const,
}
const three = {
  stages: stagesOf({ First: constant(200_000), Second: constant(200_000), Third: constant(200_000) }),
  source: { kind: 'batch', jobs: 6 } as const,
}
const onePerStage = { policy: { kind: 'onePerStage', lend: false } } as const

/** Two workers at every stage, each with every other ticket. */
function sharded({ stages }: Pick<Scenario, 'stages'>) {
  const allocation = Object.fromEntries(stages.map(({ id }) => [id, 2]))
  return {
    workers: 2 * stages.length,
    policy: { kind: 'fixed', allocation, lend: false },
    order: { kind: 'shard' },
  } as const
}

/** Published pipelines whose ideal times are known to the last microsecond. */
export const idealTimes = presetsOf({
  'side-by-side': {
    title: 'Two side by side, then one, then one',
    about: 'Five jobs, each copied: 5 s for one worker, 1.75 s for four.',
    ...sideBySide,
    workers: 4,
    ...onePerStage,
  },
  'side-by-side-sharded': {
    title: 'Two side by side, sharded',
    about: 'The same in 1.25 s, with a worker for even tickets and one for odd.',
    ...sideBySide,
    ...sharded(sideBySide),
  },
  'six-through-three': {
    title: 'Six jobs through three stages',
    about: 'Three stages: 3.6 s for one worker, 1.6 s for three.',
    ...three,
    workers: 3,
    ...onePerStage,
  },
  'six-through-three-sharded': {
    title: 'Six jobs through three, sharded',
    about: 'The same in 1 s, with two workers a stage.',
    ...three,
    ...sharded(three),
  },
})

export const queues = presetsOf({
  'one-queue': {
    title: 'One worker, one queue',
    about: 'Busy 80% of the time, a job waits four service times.',
    stages: stagesOf({ Counter: exponential(320) }),
    source: { kind: 'poisson', rate: 2500, jobs: 18_000 },
    workers: 1,
  },
  'four-at-one-queue': {
    title: 'Four workers, one queue',
    about: 'As busy, but a job waits less than one service time.',
    stages: stagesOf({ Counters: exponential(1280) }),
    source: { kind: 'poisson', rate: 2500, jobs: 18_000 },
    workers: 4,
  },
})

export const seatingPresets = presetsOf({
  'cold-start': {
    title: 'Cold start',
    about: 'An unmeasured stage counts as 1 µs and starves.',
    stages: stagesOf({ Fetch: exponential(5000), Score: exponential(20_000), Save: exponential(5000) }),
    source: { kind: 'batch', jobs: 120 },
    workers: 4,
    policy: { kind: 'leastScore', lend: false },
    estimator: { kind: 'mean', prior: 'one' },
  },
  bottleneck: {
    title: 'One slow stage',
    about: 'Score takes eight times as long and gets most seats.',
    stages: stagesOf({ Load: exponential(5000), Score: exponential(40_000), Save: exponential(5000) }),
    source: { kind: 'batch', jobs: 400 },
    workers: 8,
  },
  bursts: {
    title: 'Bursts',
    about: 'For a quarter of every second the load is tenfold.',
    stages: stagesOf({ Receive: exponential(4000), Check: exponential(8000), Store: exponential(6000) }),
    source: { kind: 'bursts', rate: 60, burstRate: 600, on: 250_000, off: 750_000, jobs: 900 },
    workers: 6,
  },
  'jefferson-differs': {
    title: 'Jefferson differs',
    about: 'Jefferson gives (8,0,0,0), least total time (5,1,1,1).',
    stages: stagesOf({ Render: constant(9000), Encode: constant(1000), Sign: constant(1000), Upload: constant(1000) }),
    source: { kind: 'regular', rate: 700, jobs: 1000 },
    workers: 8,
    policy: { kind: 'jefferson', lend: false },
  },
  'a-tie': {
    title: 'A tie',
    about: 'After a second the tie goes to the first id.',
    at: 1_000_000,
    stages: stagesOf({ A: constant(1_000_000), B: constant(1_000_000) }),
    source: { kind: 'batch', jobs: 6 },
    workers: 3,
    estimator: { kind: 'mean', prior: 'declared' },
  },
  alabama: {
    title: 'The Alabama paradox',
    about: 'At 0.3 s an eleventh worker joins, and by Hamilton’s rule File loses a seat.',
    at: 300_000,
    seed: 2,
    stages: stagesOf({ Scan: exponential(12_000), Sort: exponential(12_000), File: exponential(12_000) }),
    source: { kind: 'batch', jobs: 240 },
    workers: 10,
    workerEvents: [{ at: 300_000, kind: 'join', worker: 10 }],
    policy: { kind: 'hamilton', lend: false },
  },
})
