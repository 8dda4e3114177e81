/**
 * Luck as a pure function: what the dice say for a job at a stage depends on (seed, stage, job, draw) and on nothing
 * else, so that two policies, two engines and two browsers meet the same jobs, in whatever order they ask.
 *
 *     seed, stage id ──► three keys      once a stage
 *     job ──key──► mix ──key, draw──► mix ──► upper 32 bits
 *                   └───key, draw──► mix ──► lower 20 bits
 */

/** An odd number near 2^32 divided by the golden ratio: neighbouring draws differ in about half of their bits. */
const GOLDEN = 0x9e3779b1
const OTHER = 0x85ebca77

/** The luck of one stage under one seed: a number in (0, 1) for each job and draw. */
export type Luck = (job: number, draw: number) => number

/**
 * A stage's place in the luck: a hash of its id (FNV-1a by Fowler, Noll and Vo, mixed). Of its id rather than its
 * position, so that a stage keeps its luck when others are added, removed or moved. The source's is `luckKey('source')`,
 * an id that no stage may bear. Two ids share a key, and so their luck, with a chance of 2^-32.
 */
export function luckKey(id: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  return mix(hash)
}

/**
 * A number in (0, 1), uniform: one of (n + 1/2) / 2^52, so that neither 0 nor 1 occurs and u and 1 - u are both exact.
 * `stage` is a `luckKey`; all four are taken as 32-bit integers.
 */
export function uniform(seed: number, stage: number, job: number, draw: number): number {
  const first = keyOf(seed, stage)
  const second = mix(first + GOLDEN)
  return drawFrom(first, second, mix(second + OTHER), job, draw)
}

/** The same numbers as `uniform(seed, stage, job, draw)`, with the keys of seed and stage worked out once. */
export function createLuck(seed: number, stage: number): Luck {
  const first = keyOf(seed, stage)
  const second = mix(first + GOLDEN)
  const third = mix(second + OTHER)
  return (job, draw) => drawFrom(first, second, third, job, draw)
}

const keyOf = (seed: number, stage: number): number => mix(mix(seed ^ GOLDEN) + stage)

// Two keyed rounds, not one: with one, all stages would walk the same sequence from different starting points.
function drawFrom(first: number, second: number, third: number, job: number, draw: number): number {
  const mixed = mix(job ^ first)
  const upper = mix((mixed ^ second) + Math.imul(draw, GOLDEN))
  const lower = mix((mixed ^ third) + Math.imul(draw, OTHER))
  return ((upper >>> 0) * 0x100000 + (lower >>> 12) + 0.5) / 0x10000000000000
}

/** A 32-bit mixer in which each bit in turns about half of the bits out; shifts and factors found by Wellons (2018, "lowbias32"). */
function mix(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return x ^ (x >>> 16)
}
