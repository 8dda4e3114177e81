/** How service times make an estimate: mean of all, mean of the last n, or a mean whose weights fade by (1 - alpha) per job. */
export type EstimateKind =
  | { readonly kind: 'mean' }
  | { readonly kind: 'window'; readonly n: number }
  | { readonly kind: 'ewma'; readonly alpha: number }

/** The estimate for a stage without measurements. */
export type EstimatePrior = 'neighbours' | 'declared' | 'one'

/** Estimated service times in microseconds, by stage. Plain data, so it can be sent to another thread. */
export interface Estimates {
  readonly kind: EstimateKind
  readonly prior: EstimatePrior
  /** What each stage declares as its mean; read only under the prior `declared`. */
  readonly declared: readonly number[]
  unmeasured: number
  readonly count: Float64Array
  /** Sum of the measurements that count: all of them, or those in the window. Unused by `ewma`. */
  readonly sum: Float64Array
  /** The estimate of a measured stage. Kept, because it is read more often than it changes. */
  readonly mean: Float64Array
  /** `window` only: the last measurements of each stage, a ring that grows up to n. */
  readonly recent: Float64Array[]
  /** `window` only: the next place to write in the ring. */
  readonly next: Int32Array
}

const noRing = new Float64Array(0)

/** Returns estimates without measurements for `declared.length` stages. Throws RangeError for a window below 1 or an alpha outside (0, 1]. */
export function createEstimates(kind: EstimateKind, prior: EstimatePrior, declared: readonly number[]): Estimates {
  if (kind.kind === 'window' && !(Number.isSafeInteger(kind.n) && kind.n >= 1))
    throw new RangeError(`a window must hold a whole number of jobs, at least 1, not ${kind.n}`)
  if (kind.kind === 'ewma' && !(kind.alpha > 0 && kind.alpha <= 1))
    throw new RangeError(`alpha must be above 0 and at most 1, not ${kind.alpha}`)
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
    next: new Int32Array(stages),
  }
}

/** Adds the measurement that a job took `serviceMicros` at a stage. */
export function observe(estimates: Estimates, stage: number, serviceMicros: number): void {
  const { kind, count } = estimates
  const before = count[stage]
  if (before === 0) estimates.unmeasured--
  count[stage] = before + 1
  if (kind.kind === 'mean') {
    const total = estimates.sum[stage] + serviceMicros
    estimates.sum[stage] = total
    estimates.mean[stage] = total / (before + 1)
  } else if (kind.kind === 'ewma') {
    const { mean } = estimates
    mean[stage] = before === 0 ? serviceMicros : mean[stage] + kind.alpha * (serviceMicros - mean[stage])
  } else observeInWindow(estimates, stage, serviceMicros, before, kind.n)
}

/** A new place of the ring holds 0, so what leaves the window can always be subtracted. Sums of whole microseconds are exact. */
function observeInWindow(estimates: Estimates, stage: number, serviceMicros: number, before: number, n: number): void {
  const at = estimates.next[stage]
  let ring = estimates.recent[stage]
  if (at === ring.length) {
    const bigger = new Float64Array(Math.min(n, Math.max(16, at * 2)))
    bigger.set(ring)
    estimates.recent[stage] = ring = bigger
  }
  estimates.sum[stage] += serviceMicros - ring[at]
  ring[at] = serviceMicros
  estimates.next[stage] = at + 1 === n ? 0 : at + 1
  estimates.mean[stage] = estimates.sum[stage] / (before < n ? before + 1 : n)
}

/** Writes the estimate of each stage: sum / count, not floored, or its prior. `neighbours` is the mean of the others' estimates, 1 without. */
export function estimateInto(estimates: Estimates, out: Float64Array): void {
  const { mean, count, declared, prior } = estimates
  for (let s = 0; s < mean.length; s++) out[s] = mean[s]
  if (estimates.unmeasured === 0) return
  const believed = prior === 'neighbours' ? meanOfMeasured(estimates) : 1
  for (let s = 0; s < mean.length; s++) {
    if (count[s] === 0) out[s] = prior === 'declared' ? declared[s] : believed
  }
}

/** Returns the estimate of each stage, in `scratch` while a stage is unmeasured. */
export function estimatesOf(estimates: Estimates, scratch: Float64Array): Float64Array {
  if (estimates.unmeasured === 0) return estimates.mean
  estimateInto(estimates, scratch)
  return scratch
}

function meanOfMeasured(estimates: Estimates): number {
  const { mean, unmeasured } = estimates
  const measured = mean.length - unmeasured
  if (measured === 0) return 1
  let sum = 0
  for (let s = 0; s < mean.length; s++) sum += mean[s]
  return sum / measured
}
