import type { Plan } from './plans.ts'

/** Games that once failed, each with the bug that it found. They are always played first. */
export const pinned: readonly (readonly [plan: Plan, found: string])[] = [
  [{ seed: 3, jobs: 3, faults: 0 }, 'a start let somebody in from outside, and three workers idled beside the job'],
  [
    { seed: 602, jobs: 3, faults: 0 },
    'starts made room in the bounded queue behind, and six workers idled beside the job that could go there',
  ],
  [{ seed: 1201, jobs: 2, faults: 0 }, 'the same where the policy does not lend: a seat stayed empty'],
  [{ seed: 5, jobs: 5, faults: 0 }, 'a job failed far ahead of the order buffer, which refused its ticket'],
  [
    { seed: 31762, jobs: 20, faults: 4, graph: true },
    'a dismissed worker returned a part of a failed job, and the part stayed until the next instant',
  ],
  [
    { seed: 37, jobs: 5, faults: 1_000_000, threads: true, brief: true },
    'the answer to a second batch came before that to the first, was dropped, and was never asked for again',
  ],
  [
    { seed: 729, jobs: 5, faults: 1_000_000, shards: true, threads: true, brief: true },
    'a batch was away while the machine slept, and afterwards silent workers had ten times the usual limit',
  ],
  [
    { seed: 2248, jobs: 1_000_000, faults: 1_000_000, graph: true, threads: true, brief: true },
    'the clock ran back by a minute, and the conductor checked it thousands of times until it had caught up',
  ],
  [
    { seed: 78378, jobs: 5, faults: 1, graph: true, threads: true, brief: true },
    'a thread that never started was never given up, because every start of another thread of the pool was a sign of life',
  ],
  [
    { seed: 1148, jobs: 3, faults: 2, graph: true, threads: true },
    'a part of a failed job left its queue without a start, and its wait was included in the mean wait of started jobs',
  ],
  [
    { seed: 3688, jobs: 6, faults: 0, graph: true, threads: true },
    'the statistics of a stretch left out what the other parts of a failed job had waited',
  ],
  [
    { seed: 2248, jobs: 8, faults: 1, graph: true, threads: true },
    'by the clock of its thread a second batch began before it was given, and the record of the run was refused',
  ],
  [
    { seed: 0, jobs: 1_000_000, faults: 1_000_000, room: true },
    'a later message overtook the request for a thread, and the device refused the request as outdated',
  ],
  [
    { seed: 159, jobs: 5, faults: 1_000_000, shards: true, room: true, brief: true },
    'the clock ran back by a minute, and lost messages to a device were not sent again until it had caught up',
  ],
  [
    { seed: 184, jobs: 5, faults: 1_000_000, graph: true, room: true, brief: true },
    'the scenario removed a worker whose thread was still starting, and the worker started anyway',
  ],
  [
    { seed: 72, jobs: 5, faults: 1_000_000, room: true, brief: true },
    'Stop came while a room gathered, and took effect afterwards only',
  ],
  [
    { seed: 18245, jobs: 38, faults: 7, room: true },
    'a batch had no time left between a late report and its own, and the record was refused: two services began at one time',
  ],
  [
    { seed: 422612, jobs: 5, faults: 3, room: true, brief: true },
    'after the clock ran back by a minute, every start of another thread was a sign of life of one that never started',
  ],
  [
    { seed: 5_163_507, jobs: 2, faults: 7, room: true, brief: true },
    'a hung simulated thread counted as healthy again when its clock ran back, so giving it up looked like an error',
  ],
]
