import { eachSeat, type Journal } from '../../pipeline/journal.ts'
import { beganAt, endedAt, FINISHED, rowTime } from '../../pipeline/rows.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'

export interface Watch {
  take(journal: Journal): void
}

/** Publishes decisions and services on the diagnostics channels of Node, while they have subscribers. Elsewhere it does nothing. */
export function createWatch({ stages }: Scenario): Watch {
  const channels = globalThis.process?.getBuiltinModule?.('node:diagnostics_channel')
  if (channels === undefined) return { take() {} }
  const decisions = channels.channel('apportion:decision')
  const jobs = channels.channel('apportion:job')
  return {
    take({ rows, decisions: taken }) {
      if (decisions.hasSubscribers)
        for (let d = 0; d < taken.length; d++) {
          const seats: Record<string, number> = {}
          eachSeat(taken, d, (stage, count) => {
            seats[stages[stage].id] = count
          })
          decisions.publish({ time: timeAt(rows, taken.row[d]), changed: seats })
        }
      if (!jobs.hasSubscribers) return
      for (let i = 0; i < rows.length; i++)
        if (rows.kind[i] === FINISHED)
          jobs.publish({ job: rows.job[i], stage: stages[rows.stage[i]].id, worker: rows.worker[i], began: beganAt(rows, i), ended: endedAt(rows, i) })
    },
  }
}

function timeAt(rows: Journal['rows'], row: number): number {
  return rowTime(rows, Math.min(row, rows.length - 1))
}
