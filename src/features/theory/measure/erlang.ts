/** Erlang's formulas (1917) for c servers and an offered load of a = arrival rate x mean service time, in erlangs. */

/**
 * Returns Erlang B: the share of arrivals that find all `servers` busy where nobody waits. The recursion B(0) = 1, B(k) = a B(k
 * - 1) / (k + a B(k - 1)) stays within 0..1, so no factorial overflows.
 */
export function erlangB(servers: number, load: number): number {
  let blocked = 1
  for (let k = 1; k <= servers; k++) blocked = (load * blocked) / (k + load * blocked)
  return blocked
}

/**
 * Returns Erlang C: the share of arrivals that must wait: c B / (c - a (1 - B)). 1 from a = c on, where the queue grows without
 * end.
 */
export function erlangC(servers: number, load: number): number {
  if (load >= servers) return 1
  const blocked = erlangB(servers, load)
  return (servers * blocked) / (servers - load * (1 - blocked))
}
