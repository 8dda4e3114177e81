/** Pure functions of (seed, stage, job, draw), in any order of calls. A stage has three keys: for the job, and the upper 32 and lower 20 bits of its draw. */

/** An odd number near 2^32 / golden ratio: neighbouring draws differ in about half of their bits. */
const GOLDEN = 0x9e3779b1
const OTHER = 0x85ebca77

/** The random numbers of one stage under one seed: a number in (0, 1) for each job and draw. */
export type RandomDraw = (job: number, draw: number) => number

/** Returns a hash of an id (FNV-1a, mixed), kept when stages are added; `source` is never the id of a stage. Two ids share a key with a chance of 2^-32. */
export function randomKey(id: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  return mix(hash)
}

/** Returns the random numbers of a seed and a stage, which is a `randomKey`. */
export function createRandom(seed: number, stage: number): RandomDraw {
  const keys = drawKeys(seed, stage)
  return (job, draw) => drawWith(keys, job, draw)
}

/** The three keys that the numbers of a seed and stage are drawn with. */
export type DrawKeys = { readonly first: number; readonly second: number; readonly third: number }

export function drawKeys(seed: number, stage: number): DrawKeys {
  const first = mix(mix(seed ^ GOLDEN) + stage)
  const second = mix(first + GOLDEN)
  return { first, second, third: mix(second + OTHER) }
}

/** Returns (n + 1/2) / 2^52 in (0, 1): never 0 or 1; u and 1 - u are exact. All numbers are read as 32-bit integers. */
export function drawWith({ first, second, third }: DrawKeys, job: number, draw: number): number {
  // Two rounds with keys. With one, all stages would follow the same sequence from different starts.
  const mixed = mix(job ^ first)
  const upper = mix((mixed ^ second) + Math.imul(draw, GOLDEN))
  const lower = mix((mixed ^ third) + Math.imul(draw, OTHER))
  return ((upper >>> 0) * 0x100000 + (lower >>> 12) + 0.5) / 0x10000000000000
}

/** A 32-bit mixer in which each bit changes about half of the result (Wellons 2018, "lowbias32"). */
function mix(x: number): number {
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return x ^ (x >>> 16)
}
