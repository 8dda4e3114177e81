/** Returns Erlang B (1917): the share of arrivals that find all `servers` busy where no job waits. `load` is arrival rate x mean service time. */
function erlangB(servers: number, load: number): number {
  let blocked = 1
  for (let k = 1; k <= servers; k++) blocked = (load * blocked) / (k + load * blocked)
  return blocked
}

/** Returns Erlang C: the share of arrivals that must wait. Returns 1 if `load` is at least `servers`: the queue then grows without end. */
export function erlangC(servers: number, load: number): number {
  if (load >= servers) return 1
  const blocked = erlangB(servers, load)
  return (servers * blocked) / (servers - load * (1 - blocked))
}
