export interface StageStats {
  readonly queueLength: number
  /** How long its finished jobs took, in whole picoseconds; empty for a stage without measurements. */
  readonly serviceTimesPicos: readonly number[]
}

/**
 * The article's function. Returns, by id in code-point order, how many of `cpus` workers each stage should have so that the sum of queueLength x mean
 * service time / (workers + 1) is least, exactly; null if all stages are done. The mean is floored to a whole picosecond, and is 1 without
 * measurements. @throws TypeError for a value of the wrong kind, RangeError for a number that is not whole, negative or beyond 2^53
 */
export function allocateWorkers(
  cpus: number,
  stats: ReadonlyMap<string, StageStats>,
  done: ReadonlySet<string>,
): Map<string, number> | null {
  checkCount(cpus, 'cpus')
  if (!(stats instanceof Map))
    throw new TypeError('stats must be a Map of stage id to { queueLength, serviceTimesPicos }')
  if (!(done instanceof Set)) throw new TypeError('done must be a Set of stage ids')
  for (const id of stats.keys())
    if (typeof id !== 'string') throw new TypeError(`a stage id must be a string, not ${typeof id}`)
  const ids = sortedByCodePoints([...stats.keys()])
  const votes = new Map(ids.map((id) => [id, votesOf(id, stats.get(id))]))
  const open = ids.filter((id) => !done.has(id))
  if (cpus > 0 && open.length === 0) return null
  const seats = seatsOf(
    cpus,
    open.map((id) => votes.get(id) ?? 0n),
  )
  const allocation = new Map(ids.map((id) => [id, 0]))
  open.forEach((id, s) => {
    allocation.set(id, seats[s])
  })
  return allocation
}

/** 2^-49. A quotient is off by at most three roundings, 3 x 2^-53. For two quotients closer than this only whole numbers decide. */
const CLOSE = 1 / 0x2000000000000

/**
 * Gives the seats to the greatest votes / ((w + 1)(w + 2)). The claims meet in a tournament, node 0 the winner of all and 2i + 1, 2i + 2 the players
 * of match i, of which the left one wins ties: a seat costs one match a level, so that exact matches stay affordable when everything ties.
 */
function seatsOf(cpus: number, votes: readonly bigint[]): Float64Array {
  const stages = votes.length
  const rounded = Float64Array.from(votes, Number)
  const { seats, dealt } = sureSeats(cpus, rounded)
  const quotients = rounded.map((v, s) => v / ((seats[s] + 1) * (seats[s] + 2)))
  let leaves = 1
  while (leaves < stages) leaves *= 2
  const winners = new Int32Array(2 * leaves).fill(-1)
  for (let s = 0; s < stages; s++) winners[leaves + s] = s
  const play = (match: number) => {
    const left = winners[2 * match]
    const right = winners[2 * match + 1]
    winners[match] = right >= 0 && isBetter(right, left) ? right : left
  }
  const isBetter = (a: number, b: number) => {
    if (quotients[a] > quotients[b] * (1 + CLOSE)) return true
    if (quotients[a] === 0 || quotients[a] < quotients[b] * (1 - CLOSE)) return false
    if (votes[a] === votes[b]) return seats[a] < seats[b]
    return votes[a] * exactDivisor(seats[b]) > votes[b] * exactDivisor(seats[a])
  }
  for (let match = leaves - 1; match >= 1; match--) play(match)
  for (let left = cpus - dealt; left > 0; left--) {
    const s = winners[1]
    if (quotients[s] === 0) {
      seats[s] += left
      break
    }
    seats[s]++
    quotients[s] = rounded[s] / ((seats[s] + 1) * (seats[s] + 2))
    for (let match = (leaves + s) >> 1; match >= 1; match >>= 1) play(match)
  }
  return seats
}

/**
 * Returns seats that every stage gets for sure, so that a million workers need no million rounds. Let x = W sqrt(V) / (sum of sqrt(V)). The x sum to W,
 * so at most W quotients are as great as (sum of sqrt(V) / W)^2. n seats of a stage are among them if n (n + 1) <= x^2, which holds for n <= x - 1/2.
 * One seat less, and a margin that grows with the terms of the sum, allow for rounding.
 */
function sureSeats(cpus: number, votes: Float64Array): { seats: Float64Array; dealt: number } {
  let roots = 0
  for (const v of votes) roots += Math.sqrt(v)
  const scale = roots === 0 ? 0 : (cpus / roots) * (1 - CLOSE * (votes.length + 1))
  const seats = votes.map((v) => Math.max(0, Math.floor(scale * Math.sqrt(v) - 1.5)))
  return { seats, dealt: seats.reduce((sum, n) => sum + n, 0) }
}

function exactDivisor(seats: number): bigint {
  return (BigInt(seats) + 1n) * (BigInt(seats) + 2n)
}

function votesOf(id: string, stage: StageStats | undefined): bigint {
  if (typeof stage !== 'object' || stage === null)
    throw new TypeError(`stage ${id}: must be { queueLength, serviceTimesPicos }`)
  const { queueLength, serviceTimesPicos } = stage
  checkCount(queueLength, `stage ${id}: queueLength`)
  if (!Array.isArray(serviceTimesPicos))
    throw new TypeError(`stage ${id}: serviceTimesPicos must be an array of numbers`)
  return BigInt(queueLength) * flooredMean(id, serviceTimesPicos)
}

/** Sums plain numbers while they are exact. */
function flooredMean(id: string, times: readonly number[]): bigint {
  if (times.length === 0) return 1n
  let whole = 0n
  let sum = 0
  for (let i = 0; i < times.length; i++) {
    checkCount(times[i], `stage ${id}: serviceTimesPicos`, i)
    if (sum + times[i] > Number.MAX_SAFE_INTEGER) {
      whole += BigInt(sum)
      sum = 0
    }
    sum += times[i]
  }
  return (whole + BigInt(sum)) / BigInt(times.length)
}

function checkCount(value: number, what: string, index?: number): void {
  if (Number.isSafeInteger(value) && value >= 0) return
  const where = index === undefined ? what : `${what}[${index}]`
  if (typeof value !== 'number')
    throw new TypeError(`${where} must be a number, not ${value === null ? 'null' : typeof value}`)
  throw new RangeError(`${where} must be a whole number from 0 to 2^53 - 1, not ${value}`)
}

const surrogate = /[\ud800-\udfff]/

/** Returns a copy in ascending order of code points, where JavaScript sorts by UTF-16 units. Texts without pairs sort alike, natively and faster. */
export function sortedByCodePoints(texts: readonly string[]): string[] {
  return texts.some((text) => surrogate.test(text)) ? [...texts].sort(compareCodePoints) : [...texts].sort()
}

function compareCodePoints(a: string, b: string): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = codePoint(a, i) - codePoint(b, i)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function codePoint(text: string, i: number): number {
  return text.codePointAt(i) ?? -1
}
