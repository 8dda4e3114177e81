import type { Plan } from './plans.ts'

/** Games that went wrong once, each with what it found. They are played first, for ever. */
export const pinned: readonly (Plan & { readonly found: string })[] = [
  { seed: 3, jobs: 3, faults: 0, found: 'a start let somebody in from outside, and three workers idled beside the job' },
  { seed: 602, jobs: 3, faults: 0, found: 'starts made room in the bounded queue behind, and six workers idled beside the job that could go there' },
  { seed: 1201, jobs: 2, faults: 0, found: 'the same where the policy does not lend: a seat stayed empty' },
  { seed: 5, jobs: 5, faults: 0, found: 'a job failed far ahead of the order buffer, which refused its ticket' },
  {
    seed: 31762,
    jobs: 20,
    faults: 4,
    graph: true,
    found: 'a dismissed worker laid back a part of a job that had failed, and nobody took it away before the next instant',
  },
  {
    seed: 37,
    jobs: 5,
    faults: 1_000_000,
    threads: true,
    brief: true,
    found: 'the answer to a second batch came before that to the first, was dropped, and nobody ever asked again',
  },
  {
    seed: 729,
    jobs: 5,
    faults: 1_000_000,
    shards: true,
    threads: true,
    brief: true,
    found: 'a batch was away while the machine slept, and from then on a silent worker was waited for ten times as long',
  },
  {
    seed: 2248,
    jobs: 1_000_000,
    faults: 1_000_000,
    graph: true,
    threads: true,
    brief: true,
    found: 'a clock ran back by a minute, and the conductor looked at it in vain thousands of times until it had caught up',
  },
  {
    seed: 78378,
    jobs: 5,
    faults: 1,
    graph: true,
    threads: true,
    brief: true,
    found: 'a thread that never started was never given up, since a pool hired and dismissed others all the while, and each start was a sign of life',
  },
]
