import { type Interval, studentQuantile } from '../../../measures/figures/comparison.ts'

/** Fewer values are not enough for a mean of dependent values. */
export const MIN_VALUES = 1280

/** How many neighbouring batches may be left out before each that counts; fewer where the means are skewed. */
const MAX_BETWEEN = 10
const MAX_BETWEEN_SKEWED = 3
/** More batches are not needed at the end. */
const MAX_BATCHES = 1024
/** The 90% quantile of the normal distribution: one test in five rejects values that are independent. */
const Z90 = 1.2815515655446004

export interface SteadyMean extends Interval {
  /** How many values at the beginning were left out, because the process had not settled. */
  readonly warmUp: number
}

/**
 * Returns the mean of a process that settles, with its 95% interval, from one series of values that depend on each other; null where there are fewer
 * than `MIN_VALUES`. Batches grow until their means, with some left out between them, look independent; the interval is Student's t, widened by their
 * correlation and bent by their skewness (N-Skart: Tafazzoli, Steiger and Wilson 2011, IEEE Transactions on Automatic Control 56, 254 to 264).
 */
export function steadyMean(values: Float64Array): SteadyMean | null {
  const { length } = values
  if (length < MIN_VALUES) return null
  const { size, between, apart } = independentBatches(values)
  const rest = length - between * size
  const growth = Math.sqrt(rest / (apart * size))
  const longer = growth * apart < MAX_BATCHES ? Math.floor(growth * size) : Math.floor(rest / MAX_BATCHES)
  // Where batches are short, more of them leave fewer values over.
  const count = Math.floor(rest / longer)
  const warmUp = length - count * longer
  const means = batchMeans(values, warmUp, longer, count)
  return { ...intervalOf(means, Math.ceil(warmUp / longer)), warmUp }
}

/**
 * Lets batches grow by the root of two until they look independent, or there are no more values. Returns their size, how many are left out before
 * each that counts, and how many look independent.
 */
function independentBatches(values: Float64Array) {
  const { length } = values
  let size =
    Math.abs(skewness(values, Math.floor(length / 5), 1)) > 4 ? Math.min(16, Math.floor(length / MIN_VALUES)) : 1
  let count = MIN_VALUES
  // As many batches as there are independent ones in the part that was tested; the other values are assumed to be alike.
  for (let inflation = 1; ; inflation /= 0.9) {
    const means = batchMeans(values, 0, size, count)
    const most = Math.abs(skewness(means, Math.floor(count / 5), 1)) > 0.5 ? MAX_BETWEEN_SKEWED : MAX_BETWEEN
    let between = 0
    while (between < most && !looksRandom(means, between)) between++
    const apart = Math.min(Math.ceil(Math.floor(count / (between + 1)) * inflation), count)
    const [nextSize, nextCount] = [Math.ceil(Math.sqrt(2) * size), Math.ceil(0.9 * count)]
    if (between < most || nextSize * nextCount > length || looksRandom(means, between)) return { size, between, apart }
    size = nextSize
    count = nextCount
  }
}

function batchMeans(values: Float64Array, from: number, size: number, count: number): Float64Array {
  const means = new Float64Array(count)
  for (let b = 0, i = from; b < count; b++) {
    let sum = 0
    for (const end = i + size; i < end; i++) sum += values[i]
    means[b] = sum / size
  }
  return means
}

/** The test of von Neumann 1941 on every (between + 1)-th mean: whether neighbours differ as much as any two. */
function looksRandom(means: Float64Array, between: number): boolean {
  const { count, mean, squares } = momentsOf(means, between, between + 1)
  if (squares === 0 || count < 3) return true
  let steps = 0
  let before = mean
  for (let i = between; i < means.length; i += between + 1) {
    if (i > between) steps += (means[i] - before) * (means[i] - before)
    before = means[i]
  }
  return Math.abs(1 - steps / (2 * squares)) <= Z90 * Math.sqrt((count - 2) / (count * count - 1))
}

/** Returns the interval of the mean of batch means of which every (between + 1)-th looks independent. */
function intervalOf(means: Float64Array, between: number): Interval {
  const { count, mean, squares } = momentsOf(means, 0, 1)
  if (squares === 0) return { mean, low: mean, high: mean }
  let products = 0
  for (let b = 1; b < count; b++) products += (means[b] - mean) * (means[b - 1] - mean)
  const correlation = products / squares
  const error = Math.sqrt((((1 + correlation) / (1 - correlation)) * (squares / (count - 1))) / count)
  const spaced = 1 + Math.floor((count - 1) / (between + 1))
  const bend = skewness(means, (count - 1) % (between + 1), between + 1) / (6 * Math.sqrt(spaced))
  const t = studentQuantile(Math.max(1, spaced - 1))
  return { mean, low: mean - bent(t, bend) * error, high: mean - bent(-t, bend) * error }
}

/** Student's t, bent by the skewness of what is measured. */
function bent(t: number, bend: number): number {
  return Math.abs(bend) < 1e-9 ? t : (cubeRoot(1 + 6 * bend * (t - bend)) - 1) / (2 * bend)
}

/** By Newton's method, which converges from above. */
function cubeRoot(x: number): number {
  if (x < 0) return -cubeRoot(-x)
  if (x === 0) return 0
  let root = x > 1 ? x : 1
  for (let next = 0; ; root = next) {
    next = (2 * root + x / (root * root)) / 3
    if (!(next < root)) return root
  }
}

function momentsOf(values: Float64Array, from: number, step: number) {
  const count = Math.max(0, Math.ceil((values.length - from) / step))
  let sum = 0
  for (let i = from; i < values.length; i += step) sum += values[i]
  const mean = sum / count
  let squares = 0
  for (let i = from; i < values.length; i += step) squares += (values[i] - mean) * (values[i] - mean)
  return { count, mean, squares }
}

/** The sample skewness, without bias; 0 where all values are alike. */
function skewness(values: Float64Array, from: number, step: number): number {
  const { count, mean, squares } = momentsOf(values, from, step)
  if (squares === 0 || count < 3) return 0
  let cubes = 0
  for (let i = from; i < values.length; i += step) cubes += (values[i] - mean) * (values[i] - mean) * (values[i] - mean)
  const variance = squares / count
  return ((cubes / count / (variance * Math.sqrt(variance))) * Math.sqrt(count * (count - 1))) / (count - 2)
}
