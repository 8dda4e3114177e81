/** Votes by stage: jobs waiting there x estimated service time, the work that waits, in the unit of the estimates. */
export function votesInto(waiting: Int32Array | Float64Array | readonly number[], estimates: Float64Array, out: Float64Array): void {
  for (let s = 0; s < out.length; s++) out[s] = waiting[s] * estimates[s]
}
