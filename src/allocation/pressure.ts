/**
 * What a queue presses upon the next one: (jobs waiting here - jobs waiting there) x service rate, in jobs per microsecond;
 * the weight of a stage under max-weight scheduling (Tassiulas and Ephremides 1992). 0 or less where the next queue is as long.
 *
 * @param ahead jobs waiting at the next stage; 0 before the sink
 * @param meanMicros counts for one microsecond at least: a clock may have read none, and nothing through nothing is no number
 */
export function pressureOf(waiting: number, ahead: number, meanMicros: number): number {
  return (waiting - ahead) / Math.max(1, meanMicros)
}
