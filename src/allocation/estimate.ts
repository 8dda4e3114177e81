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
  /** `window` only: the place in the ring that is written next. */
  readonly next: Int32Array
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
    next: new Int32Array(stages),
  }
}

/** Learns that a job took `serviceMicros` at a stage. */
export function observe(estimates: Estimates, stage: number, serviceMicros: number): void {
  const { kind, count } = estimates
  const before = count[stage]
  if (before === 0) estimates.unmeasured--
  count[stage] = before + 1
  if (kind.kind === 'mean') {
    const total = estimates.sum[stage] + serviceMicros
    estimates.sum[stage] = total
    estimates.mean[stage] = total / (before + 1)
  } else observeFading(estimates, stage, serviceMicros, before)
}

function observeFading(estimates: Estimates, stage: number, serviceMicros: number, before: number): void {
  const { kind, mean } = estimates
  if (kind.kind === 'ewma') {
    mean[stage] = before === 0 ? serviceMicros : mean[stage] + kind.alpha * (serviceMicros - mean[stage])
  } else if (kind.kind === 'window') {
    observeInWindow(estimates, stage, serviceMicros, before, kind.n)
  }
}

/**
 * A place of the ring that was never written holds 0, so what leaves the window can be taken off without asking. Sums of
 * whole microseconds are exact: nothing drifts.
 */
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
  const { count, sum, mean, recent, next } = estimates
  return {
    ...estimates,
    count: count.slice(),
    sum: sum.slice(),
    mean: mean.slice(),
    recent: recent.map((ring) => ring.slice()),
    next: next.slice(),
  }
}
