/**
 * Returns the pressure of a queue on the next one: (jobs waiting here - jobs waiting there) x service rate, in jobs per microsecond.
 * It is the weight of a stage under max-weight scheduling (Tassiulas and Ephremides 1992); 0 or less if the next queue is as long.
 *
 * @param ahead jobs waiting at the next stage; 0 before the sink
 * @param meanMicros counts as at least one microsecond, since a clock may have measured 0
 */
export function pressureOf(waiting: number, ahead: number, meanMicros: number): number {
  return (waiting - ahead) / Math.max(1, meanMicros)
}
