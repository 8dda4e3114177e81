/** How past service times make an estimate: mean of all, mean of the last n, or a mean whose weights fade by (1 - alpha) a job. */
export type EstimateKind = { readonly kind: 'mean' } | { readonly kind: 'window'; readonly n: number } | { readonly kind: 'ewma'; readonly alpha: number }

/** What a stage that nobody has measured yet is believed to cost. */
export type EstimatePrior = 'neighbours' | 'declared' | 'one'

/** Estimated service times in microseconds, in columns by stage. Plain data: may be sent to another thread. */
export interface Estimates {
  readonly kind: EstimateKind
  readonly prior: EstimatePrior
  /** What each stage declares as its mean; read only under the prior `declared`. */
  readonly declared: readonly number[]
  /** Stages without a measurement. */
  unmeasured: number
  /** Measurements by stage. */
  readonly count: Float64Array
  /** Sum of the measurements that count: all of them, or those in the window. Unused by `ewma`. */
  readonly sum: Float64Array
  /** The estimate of a measured stage, kept ready because decisions ask for it more often than it changes. */
  readonly mean: Float64Array
  /** `window` only: the last measurements of each stage as a ring that grows until it holds n. */
  readonly recent: Float64Array[]
}

const noRing = new Float64Array(0)

/** Nothing measured yet at `declared.length` stages. Throws a RangeError for a window below 1 or an alpha outside (0, 1]. */
export function createEstimates(kind: EstimateKind, prior: EstimatePrior, declared: readonly number[]): Estimates {
  if (kind.kind === 'window' && !(Number.isSafeInteger(kind.n) && kind.n >= 1))
    throw new RangeError(`a window must hold a whole number of jobs, at least 1, not ${kind.n}`)
  if (kind.kind === 'ewma' && !(kind.alpha > 0 && kind.alpha <= 1)) throw new RangeError(`alpha must be above 0 and at most 1, not ${kind.alpha}`)
  const stages = declared.length
  return {
    kind,
    prior,
    declared,
    unmeasured: stages,
    count: new Float64Array(stages),
    sum: new Float64Array(stages),
    mean: new Float64Array(stages),
    recent: kind.kind === 'window' ? Array.from(declared, () => noRing) : [],
  }
}

/** Learns that a job took `serviceMicros` at a stage. */
export function observe(estimates: Estimates, stage: number, serviceMicros: number): void {
  const { kind, count, sum, mean } = estimates
  const before = count[stage]
  if (before === 0) estimates.unmeasured--
  count[stage] = before + 1
  if (kind.kind === 'mean') {
    sum[stage] += serviceMicros
    mean[stage] = sum[stage] / (before + 1)
  } else if (kind.kind === 'ewma') {
    mean[stage] = before === 0 ? serviceMicros : mean[stage] + kind.alpha * (serviceMicros - mean[stage])
  } else {
    observeInWindow(estimates, stage, serviceMicros, before, kind.n)
  }
}

/** Sums of whole microseconds are exact, so adding the new and taking off the oldest does not drift. */
function observeInWindow(estimates: Estimates, stage: number, serviceMicros: number, before: number, n: number): void {
  let ring = estimates.recent[stage]
  if (before === ring.length && before < n) {
    const bigger = new Float64Array(Math.min(n, Math.max(16, before * 2)))
    bigger.set(ring)
    estimates.recent[stage] = ring = bigger
  }
  const at = before % n
  const oldest = before < n ? 0 : ring[at]
  ring[at] = serviceMicros
  estimates.sum[stage] += serviceMicros - oldest
  estimates.mean[stage] = estimates.sum[stage] / Math.min(before + 1, n)
}

/**
 * Writes what a job is believed to cost at each stage: sum / count, unfloored, where there are measurements, else the prior:
 * what the stage declares, 1, or the mean of the measured stages' estimates (1 while there is none).
 */
export function estimateInto(estimates: Estimates, out: Float64Array): void {
  const { mean, count, declared, prior } = estimates
  for (let s = 0; s < mean.length; s++) out[s] = mean[s]
  if (estimates.unmeasured === 0) return
  const believed = prior === 'neighbours' ? meanOfMeasured(estimates) : 1
  for (let s = 0; s < mean.length; s++) {
    if (count[s] === 0) out[s] = prior === 'declared' ? declared[s] : believed
  }
}

function meanOfMeasured(estimates: Estimates): number {
  const { mean, unmeasured } = estimates
  const measured = mean.length - unmeasured
  if (measured === 0) return 1
  let sum = 0
  for (let s = 0; s < mean.length; s++) sum += mean[s]
  return sum / measured
}

/** A copy that lives on by itself: for checkpoints. */
export function copyEstimates(estimates: Estimates): Estimates {
  const { count, sum, mean, recent } = estimates
  return { ...estimates, count: count.slice(), sum: sum.slice(), mean: mean.slice(), recent: recent.map((ring) => ring.slice()) }
}
