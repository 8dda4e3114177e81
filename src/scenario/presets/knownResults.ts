import type { Scenario } from '../model/scenario.ts'
import { constant, exponential, linksOf, presetsOf, stage } from './preset.ts'

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
  stages: [
    stage('A', 'First', constant(200_000)),
    stage('B', 'Second', constant(200_000)),
    stage('C', 'Third', constant(200_000)),
  ],
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
    about:
      'Five jobs, each copied to two stages whose parts meet again: 5 s for one worker alone, 1.75 s for four, each at a stage of its own.',
    ...sideBySide,
    workers: 4,
    ...onePerStage,
  },
  'side-by-side-sharded': {
    title: 'Two side by side, sharded',
    about:
      'The same five jobs in 1.25 s: two workers at every stage, one for the even tickets and one for the odd, and all leave in order.',
    ...sideBySide,
    ...sharded(sideBySide),
  },
  'six-through-three': {
    title: 'Six jobs through three stages',
    about:
      'Six jobs through three stages of 0.2 s: 3.6 s for one worker alone, 1.6 s for three who each keep to a stage of their own.',
    ...three,
    workers: 3,
    ...onePerStage,
  },
  'six-through-three-sharded': {
    title: 'Six jobs through three, sharded',
    about:
      'The same six jobs in 1 s: two workers at every stage, one for the even tickets and one for the odd, and all leave in order.',
    ...three,
    ...sharded(three),
  },
})

export const queues = presetsOf({
  'one-queue': {
    title: 'One worker, one queue',
    about:
      'A worker busy four fifths of the time: theory says that a job waits as long as four services take. Results compares the run with it.',
    stages: [stage('A', 'Counter', exponential(320))],
    source: { kind: 'poisson', rate: 2500, jobs: 18_000 },
    workers: 1,
  },
  'four-at-one-queue': {
    title: 'Four workers, one queue',
    about:
      'Four workers, busy as much as one alone would be, share a queue: by Erlang’s formula a job waits less than one service; see Results.',
    stages: [stage('A', 'Counters', exponential(1280))],
    source: { kind: 'poisson', rate: 2500, jobs: 18_000 },
    workers: 4,
  },
})

export const seatingPresets = presetsOf({
  'cold-start': {
    title: 'Cold start',
    about:
      'The estimate for an unmeasured stage is one microsecond, so it starves until those before it are empty; set Unmeasured to neighbours.',
    stages: [
      stage('A', 'Fetch', exponential(5000)),
      stage('B', 'Score', exponential(20_000)),
      stage('C', 'Save', exponential(5000)),
    ],
    source: { kind: 'batch', jobs: 120 },
    workers: 4,
    policy: { kind: 'leastScore', lend: false },
    estimator: { kind: 'mean', prior: 'one' },
  },
  bottleneck: {
    title: 'One slow stage',
    about:
      'Score costs eight times what its neighbours cost, so most seats go there; one worker a stage would leave the others idle.',
    stages: [
      stage('A', 'Load', exponential(5000)),
      stage('B', 'Score', exponential(40_000)),
      stage('C', 'Save', exponential(5000)),
    ],
    source: { kind: 'batch', jobs: 400 },
    workers: 8,
  },
  bursts: {
    title: 'Bursts',
    about:
      'Ten times the usual load for a quarter of every second: a wave runs down the pipeline, and the workers run with it.',
    stages: [
      stage('A', 'Receive', exponential(4000)),
      stage('B', 'Check', exponential(8000)),
      stage('C', 'Store', exponential(6000)),
    ],
    source: { kind: 'bursts', rate: 60, burstRate: 600, on: 250_000, off: 750_000, jobs: 900 },
    workers: 6,
  },
  'jefferson-differs': {
    title: 'Jefferson differs',
    about:
      "Votes of 900, 100, 100 and 100 give eight workers seats (8,0,0,0) by Jefferson's rule and (5,1,1,1) by least total time: try both.",
    stages: [
      stage('A', 'Render', constant(9000)),
      stage('B', 'Encode', constant(1000)),
      stage('C', 'Sign', constant(1000)),
      stage('D', 'Upload', constant(1000)),
    ],
    source: { kind: 'regular', rate: 700, jobs: 1000 },
    workers: 8,
    policy: { kind: 'jefferson', lend: false },
  },
  'a-tie': {
    title: 'A tie',
    about:
      'After a second three jobs wait at each stage: two seats at A are as good as two at B, and the tie goes to the stage whose id comes first.',
    at: 1_000_000,
    stages: [stage('A', 'A', constant(1_000_000)), stage('B', 'B', constant(1_000_000))],
    source: { kind: 'batch', jobs: 6 },
    workers: 3,
    estimator: { kind: 'mean', prior: 'declared' },
  },
  alabama: {
    title: 'The Alabama paradox',
    about:
      "At 0.3 s an eleventh worker joins and File loses a seat: by Hamilton's rule (3,5,2) of ten seats become (4,6,1) of eleven.",
    at: 300_000,
    seed: 2,
    stages: [
      stage('A', 'Scan', exponential(12_000)),
      stage('B', 'Sort', exponential(12_000)),
      stage('C', 'File', exponential(12_000)),
    ],
    source: { kind: 'batch', jobs: 240 },
    workers: 10,
    workerEvents: [{ at: 300_000, kind: 'join', worker: 10 }],
    policy: { kind: 'hamilton', lend: false },
  },
})
