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
  stages: [stage('A', 'First', constant(200_000)), stage('B', 'Second', constant(200_000)), stage('C', 'Third', constant(200_000))],
  source: { kind: 'batch', jobs: 6 } as const,
}
const onePerStage = { policy: { kind: 'onePerStage', lend: false } } as const

/** Two workers at every stage, each with every other ticket. */
function sharded({ stages }: Pick<Scenario, 'stages'>) {
  const allocation = Object.fromEntries(stages.map(({ id }) => [id, 2]))
  return { workers: 2 * stages.length, policy: { kind: 'fixed', allocation, lend: false }, order: { kind: 'shard' } } as const
}

/** Published pipelines whose ideal times are known to the last microsecond. */
export const idealTimes = presetsOf({
  'side-by-side': {
    title: 'Two side by side, then one, then one',
    about: 'Five jobs, each copied to two stages whose parts meet again: 5 s for one worker alone, 1.75 s for four, each at a stage of its own.',
    ...sideBySide,
    workers: 4,
    ...onePerStage,
  },
  'side-by-side-sharded': {
    title: 'Two side by side, sharded',
    about: 'The same five jobs in 1.25 s: two workers at every stage, one for the even tickets and one for the odd, and all leave in order.',
    ...sideBySide,
    ...sharded(sideBySide),
  },
  'six-through-three': {
    title: 'Six jobs through three stages',
    about: 'Six jobs through three stages of 0.2 s: 3.6 s for one worker alone, 1.6 s for three who each keep to a stage of their own.',
    ...three,
    workers: 3,
    ...onePerStage,
  },
  'six-through-three-sharded': {
    title: 'Six jobs through three, sharded',
    about: 'The same six jobs in 1 s: two workers at every stage, one for the even tickets and one for the odd, and all leave in order.',
    ...three,
    ...sharded(three),
  },
})

export const queues = presetsOf({
  'one-queue': {
    title: 'One worker, one queue',
    about: 'A worker busy four fifths of the time: theory says that a job waits as long as four services take. Results compares the run with it.',
    stages: [stage('A', 'Counter', exponential(320))],
    source: { kind: 'poisson', rate: 2500, jobs: 18_000 },
    workers: 1,
  },
  'four-at-one-queue': {
    title: 'Four workers, one queue',
    about: 'Four workers, busy as much as one alone would be, share a queue: by Erlang’s formula a job waits less than one service; see Results.',
    stages: [stage('A', 'Counters', exponential(1280))],
    source: { kind: 'poisson', rate: 2500, jobs: 18_000 },
    workers: 4,
  },
})
