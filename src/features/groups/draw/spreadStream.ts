import { t } from '../../../language/translate.ts'
import { count } from '../../../views/drawing/format.ts'
import { addHeadline, JOB, type SpreadDraft, type SpreadScene } from './spreadMarks.ts'

const JOB_PITCH = 13
const STREAM_ROWS = 3
const BREAK = 6
/** The group whose colour the key has. */
const KEY_GROUP = 1

/** Adds the jobs in the order in which they are given out: the latest and those to come, and the row of the lowest job that a worker has. */
export function addStream({ spreading, state, markOf, front }: SpreadScene, width: number, top: number, made: SpreadDraft): number {
  const { group, jobs } = spreading
  const y = addHeadline(made, top, width, t('Stream'), t('{emitted} of {jobs} jobs taken', { emitted: count(state.emitted), jobs: count(jobs) }))
  const inRow = Math.max(1, Math.floor((width - JOB) / JOB_PITCH) + 1)
  const looks = { coming: 'dot', given: 'full', held: 'held', contended: 'contended', served: 'faint' } as const
  streamRows(state.emitted, front, inRow).forEach((row, k, rows) => {
    // A line separates rows that do not follow each other.
    const separated = k > 0 && rows[k - 1] !== row - 1
    const at = y + k * JOB_PITCH + (separated ? BREAK : 0)
    if (separated) made.lines += `M0,${at - BREAK / 2 - 1.5}h${width}`
    for (let job = row * inRow; job < Math.min(jobs, (row + 1) * inRow); job++) {
      made.tiles.push({ part: 'job', x: (job - row * inRow) * JOB_PITCH, y: at, width: JOB, height: JOB, group: group[job], look: looks[markOf(job)] })
    }
  })
  return addKeys(y + STREAM_ROWS * JOB_PITCH + BREAK, made)
}

/** Returns which rows of `inRow` jobs are shown. They change by whole rows, so that jobs keep their places. */
export function streamRows(emitted: number, front: number | null, inRow: number): readonly number[] {
  const latest = Math.floor(Math.max(0, emitted - 1) / inRow)
  const first = front === null ? latest : Math.floor(front / inRow)
  if (first < latest - 1) return [first, first + 1, latest]
  const from = Math.max(0, latest - 1)
  return Array.from({ length: STREAM_ROWS }, (_, k) => from + k)
}

/** Adds the key to the looks of a job, and returns where it ends. */
function addKeys(y: number, made: SpreadDraft): number {
  let x = 0
  for (const [look, text] of [
    ['faint', t('served')],
    ['held', t('in service')],
    ['contended', t('waits for its group')],
  ] as const) {
    made.tiles.push({ part: 'key', x, y, width: JOB, height: JOB, group: KEY_GROUP, look })
    made.texts.push({ x: x + JOB + 4, y: y + 9, text, kind: 'key' })
    // A letter is about half as wide as it is high.
    x += JOB + 4 + text.length * 5.2 + 12
  }
  return y + JOB
}
