import type { SystemLog } from '../../../../src/features/logs/read/log.ts'
import { createLogReader } from '../../../../src/features/logs/read/readLog.ts'
import { plainLog } from '../../../bench/plainQueue.ts'

/** Returns the log that a text is. */
export function logOf(text: string): SystemLog {
  const reader = createLogReader()
  reader.push(new TextEncoder().encode(text))
  const read = reader.end()
  if (!('log' in read)) throw new Error('the log cannot be read')
  return read.log
}

/** The log of two stages that a plain simulator served; half as many jobs again come after twenty seconds. `spread`: of the first stage. */
export function shortLog(rate: number, spread: number, seconds: number, completed: boolean): SystemLog {
  const system = {
    rate: (second: number) => (second > 20 ? 1.5 * rate : rate),
    most: 1.5 * rate,
    seconds,
    stages: [
      { workers: 1, mean: 0.9 / rate, spread },
      { workers: 2, mean: 1.2 / rate, spread: 1 },
    ],
  }
  return logOf(plainLog(system, 3, { measured: true, completed }))
}
