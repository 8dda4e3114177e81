/**
 * What a scheduler sees when it decides, by stage in tie order (ascending ids): waiting jobs, estimated service times, and which stages
 * may have workers.
 */
export interface Ballot {
  /** Workers to share out: those that are alive. */
  workers: number
  readonly waiting: Int32Array
  /** Estimated service times in microseconds. */
  readonly means: Float64Array
  /** waiting x mean. */
  readonly votes: Float64Array
  /** 0 for a stage that is done. */
  readonly eligible: Uint8Array
  /** The bits of `means`, for the hash. */
  readonly bits: Uint32Array
}

export function createBallot(stages: number): Ballot {
  const means = new Float64Array(stages)
  return {
    workers: 0,
    waiting: new Int32Array(stages),
    means,
    votes: new Float64Array(stages),
    eligible: new Uint8Array(stages),
    bits: new Uint32Array(means.buffer),
  }
}

/** Puts a stage on the ballot: its votes are the jobs waiting there, times the estimated service time. */
export function castVotes({ waiting, means, votes, eligible }: Ballot, k: number, jobs: number, mean: number, done: boolean): void {
  waiting[k] = jobs
  means[k] = mean
  votes[k] = jobs * mean
  eligible[k] = done ? 0 : 1
}

/** Returns a hash of a ballot in 32 bits, mixed as in FNV-1a (Fowler, Noll and Vo 1991), one word at a time. */
export function hashBallot(ballot: Ballot): number {
  const { waiting, eligible, bits } = ballot
  let hash = Math.imul(0x811c9dc5 ^ ballot.workers, 0x01000193)
  for (let s = 0; s < waiting.length; s++) {
    hash = Math.imul(hash ^ waiting[s], 0x01000193)
    hash = Math.imul(hash ^ bits[2 * s], 0x01000193)
    hash = Math.imul(hash ^ bits[2 * s + 1] ^ eligible[s], 0x01000193)
    hash ^= hash >>> 15
  }
  return hash >>> 0
}
