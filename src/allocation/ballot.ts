/**
 * What a scheduler sees when it decides, stage by stage in tie order (ascending ids): the jobs that wait, what one is
 * believed to cost, and who may be given workers at all.
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

/** 32 bits that tell one ballot from another, mixed as in FNV-1a (Fowler, Noll and Vo 1991) a word at a time. */
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
