import { exponential, presetsOf, stage } from './preset.ts'

/** Queues with known results in theory. */
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
