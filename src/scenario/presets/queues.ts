import { exponential, type Preset, preset, stage } from './preset.ts'

/** Queues with known results in theory. */
export const queues: readonly Preset[] = [
  preset(
    'one-queue',
    'One worker, one queue',
    'A worker busy four fifths of the time: theory says that a job waits as long as four services take, and Figures holds the run to it.',
    {
      stages: [stage('A', 'Counter', exponential(320))],
      source: { kind: 'poisson', rate: 2500, jobs: 18_000 },
      workers: 1,
    },
  ),
  preset(
    'four-at-one-queue',
    'Four workers, one queue',
    'Four workers, busy as much as one alone would be, share a queue: by Erlang’s formula a job waits less than one service; see Figures.',
    {
      stages: [stage('A', 'Counters', exponential(1280))],
      source: { kind: 'poisson', rate: 2500, jobs: 18_000 },
      workers: 4,
    },
  ),
]
