/**
 * The input of a decision, by stage in tie order (ascending ids): waiting jobs, estimated service times, which stages may have workers,
 * and the further input of a policy that looks ahead.
 */
export interface Ballot {
  /** Workers to share out: those that are alive. */
  workers: number
  readonly waiting: Int32Array
  /** Estimated service times in microseconds. */
  readonly means: Float64Array
  /** (waiting + coming) x mean x urgency: for most policies waiting x mean. */
  readonly votes: Float64Array
  /** Jobs on their way to the stage, as far as the policy counts them. */
  readonly coming: Float64Array
  /** 1, or more where the policy hurries old jobs. */
  readonly urgency: Float64Array
  /** 0 for a stage that is done. */
  readonly eligible: Uint8Array
  /** The bits of `means` and of `votes`, from which the hash of a decision's input is mixed. Replays compare that hash. */
  readonly bits: Uint32Array
  readonly voteBits: Uint32Array
}

export function createBallot(stages: number): Ballot {
  const means = new Float64Array(stages)
  const votes = new Float64Array(stages)
  return {
    workers: 0,
    waiting: new Int32Array(stages),
    means,
    votes,
    coming: new Float64Array(stages),
    urgency: new Float64Array(stages).fill(1),
    eligible: new Uint8Array(stages),
    bits: new Uint32Array(means.buffer),
    voteBits: new Uint32Array(votes.buffer),
  }
}

/** Puts a stage on the ballot: its votes are the jobs waiting there, times the estimated service time. */
export function castVotes(
  { waiting, means, votes, eligible }: Ballot,
  k: number,
  jobs: number,
  mean: number,
  done: boolean,
): void {
  waiting[k] = jobs
  means[k] = mean
  votes[k] = jobs * mean
  eligible[k] = done ? 0 : 1
}

/** Casts the votes of all stages, whose waiting jobs are on the ballot, and returns its hash: in one pass, since this runs at every decision. */
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

/** Adds the outlook of a policy to the votes, by stage, and returns the hash with it. `before`: the hash of the queues and means. */
export function castForeseen(
  ballot: Ballot,
  stageOf: ArrayLike<number>,
  seen: Pick<Ballot, 'coming' | 'urgency'>,
  before: number,
): number {
  const { waiting, means, votes, coming, urgency } = ballot
  for (let k = 0; k < waiting.length; k++) {
    coming[k] = seen.coming[stageOf[k]]
    urgency[k] = seen.urgency[stageOf[k]]
    votes[k] = (waiting[k] + coming[k]) * means[k] * urgency[k]
  }
  return mixForeseen(before, ballot) >>> 0
}

/** Returns the work at a stage: its votes without the urgency. */
export function workAt({ waiting, coming, means }: Ballot, k: number): number {
  return (waiting[k] + coming[k]) * means[k]
}

/** Returns a hash of a ballot in 32 bits, mixed as in FNV-1a (Fowler, Noll and Vo 1991), one word at a time. */
export function hashBallot(ballot: Ballot): number {
  let hash = firstHash(ballot)
  for (let k = 0; k < ballot.waiting.length; k++) hash = mixStage(hash, ballot, k)
  return mixForeseen(hash >>> 0, ballot) >>> 0
}

/** Mixes in only stages with jobs on the way or old jobs: under other policies the hash stays that of queues and means. */
function mixForeseen(before: number, { coming, urgency, voteBits }: Ballot): number {
  let hash = before
  for (let k = 0; k < coming.length; k++) {
    if (coming[k] === 0 && urgency[k] === 1) continue
    hash = Math.imul(hash ^ voteBits[2 * k], 0x01000193)
    hash = Math.imul(hash ^ voteBits[2 * k + 1] ^ k, 0x01000193)
    hash ^= hash >>> 15
  }
  return hash
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
