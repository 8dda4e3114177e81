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
]
