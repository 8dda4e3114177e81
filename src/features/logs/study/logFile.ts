import type { Steps } from '../../../measures/series/steps.ts'
import type { Policy, Problem } from '../../../scenario/model/scenario.ts'
import { type LogPoints, logPointsOf } from '../measure/logPoints.ts'
import { type OpenLoop, openLoopOf, queuesOf, seatsHad } from '../measure/openLoop.ts'
import type { Headings } from '../read/csvRows.ts'
import type { SystemLog } from '../read/log.ts'
import type { SeriesFile } from '../read/prometheus.ts'
import { createLogReader, type LogNotes, type LogRead, logOf } from '../read/readLog.ts'
import { guessMapping, type Mapping, type SeriesHeads } from '../read/seriesRoles.ts'

/** A log as the page shows it. */
export interface OpenedLog {
  readonly points: LogPoints
  /** By stage, over time; no seats if the log does not tell them. */
  readonly queues: readonly Steps[]
  readonly had: readonly Steps[]
}

/** A log and the bad rows that were left out, series whose meaning the user has to tell, or problems. */
export type LogFileRead =
  | ({ readonly kind: 'log'; readonly log: OpenedLog } & LogNotes)
  | { readonly kind: 'series'; readonly heads: SeriesHeads }
  | { readonly kind: 'refused'; readonly problems: readonly Problem[] }

/** The size of the largest log that is opened, in bytes. */
export const MAX_LOG_FILE = 200_000_000

const BYTES_A_PART = 1 << 22

/** Reads a log, keeps it, and asks one policy after another what it would have decided. */
export function createLogReading() {
  let series: SeriesFile | null = null
  let points: LogPoints | null = null

  function opened(read: LogRead): LogFileRead {
    if (!('log' in read)) return { kind: 'refused', problems: read.problems }
    series = null
    points = logPointsOf(read.log)
    // The copy for the page is made here, since making it would freeze the page.
    const log = { points: structuredClone(points), queues: queuesOf(points), had: seatsHad(points) }
    return { ...read, kind: 'log', log }
  }

  return {
    async readLogFile(file: Blob, headings: Headings | null, progress: (share: number) => void): Promise<LogFileRead> {
      const reader = createLogReader(headings)
      for (let from = 0; from < file.size; from += BYTES_A_PART) {
        const part = await file.slice(from, from + BYTES_A_PART).arrayBuffer()
        progress(from / file.size)
        if (!reader.push(new Uint8Array(part))) break
      }
      progress(1)
      const read = reader.end()
      if (!('series' in read)) return opened(read)
      series = read
      const { mapping, certain } = guessMapping(read)
      return certain
        ? opened(logOf(read, mapping))
        : { kind: 'series', heads: { series: read.series.map(({ labels }) => ({ labels })) } }
    },
    /** Takes a log that was made of a run. */
    takeLog(log: SystemLog, note: string): LogFileRead {
      return opened({ log, bad: 0, problems: [], untold: 0, notes: [note] })
    },
    /** Makes a log of the series that were read. Throws if there are none. */
    mapLog(mapping: Mapping): LogFileRead {
      if (series === null) throw new RangeError('no series were read')
      return opened(logOf(series, mapping))
    },
    weighLog(policy: Policy, workers: number): OpenLoop {
      if (points === null) throw new RangeError('no log was read')
      return openLoopOf(points, policy, workers)
    },
  }
}
