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

/** Casts the votes of all stages, whose waiting jobs are on the ballot, and returns its hash: one pass, since a run decides so often. */
export function castAllVotes(ballot: Ballot, stageOf: Int16Array, meanOfStage: Float64Array): number {
  const { waiting, means, votes } = ballot
  let hash = firstHash(ballot)
  for (let k = 0; k < waiting.length; k++) {
    const mean = meanOfStage[stageOf[k]]
    means[k] = mean
    votes[k] = waiting[k] * mean
    hash = mixStage(hash, ballot, k)
  }
  return hash >>> 0
}

/** Returns a hash of a ballot in 32 bits, mixed as in FNV-1a (Fowler, Noll and Vo 1991), one word at a time. */
export function hashBallot(ballot: Ballot): number {
  let hash = firstHash(ballot)
  for (let k = 0; k < ballot.waiting.length; k++) hash = mixStage(hash, ballot, k)
  return hash >>> 0
}

function firstHash({ workers }: Ballot): number {
  return Math.imul(0x811c9dc5 ^ workers, 0x01000193)
}

function mixStage(before: number, { waiting, bits, eligible }: Ballot, k: number): number {
  let hash = Math.imul(before ^ waiting[k], 0x01000193)
  hash = Math.imul(hash ^ bits[2 * k], 0x01000193)
  hash = Math.imul(hash ^ bits[2 * k + 1] ^ eligible[k], 0x01000193)
  return hash ^ (hash >>> 15)
}
