/**
 * Returns the pressure of a queue on the next one: (waiting - ahead) x service rate, in jobs per microsecond, the weight of a stage under max-weight
 * scheduling (Tassiulas and Ephremides 1992). `ahead`: 0 before the sink. `meanMicros` counts as at least 1, since a clock may have measured 0.
 */
export function pressureOf(waiting: number, ahead: number, meanMicros: number): number {
  return (waiting - ahead) / Math.max(1, meanMicros)
}
