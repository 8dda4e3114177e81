/** Writes the votes of each stage: waiting jobs x estimated service time, which is the waiting work. */
export function votesInto(waiting: Int32Array | Float64Array | readonly number[], estimates: Float64Array, out: Float64Array): void {
  for (let s = 0; s < out.length; s++) out[s] = waiting[s] * estimates[s]
}
