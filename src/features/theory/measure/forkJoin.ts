/** Servers of a fork, first come first served, each with exponential services of mean 1 / rate and Poisson arrivals at `load` of it: all alike. */

/**
 * Returns the mean time until all of `parts` equal parts of a job are through, over the mean time of one part. Exact for two (Flatto and Hahn 1984);
 * for more an approximation, off by less than 5% up to 32 parts in the simulations of its authors (Nelson and Tantawi 1988):
 *
 *     two      (12 - load) / 8
 *     more     that x (H / H2 + 4/11 (1 - H / H2) load)        H = 1 + 1/2 + ... + 1/parts, H2 = 3/2
 */
export function forkJoinFactor(parts: number, load: number): number {
  if (parts === 1) return 1
  let harmonic = 0
  for (let k = 1; k <= parts; k++) harmonic += 1 / k
  const ratio = harmonic / 1.5
  return ((12 - load) / 8) * (ratio + (4 / 11) * (1 - ratio) * load)
}
