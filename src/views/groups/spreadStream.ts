import { t } from '../../language/translate.ts'
import { count } from '../drawing/format.ts'
import { headline, JOB, type Made, type SpreadScene } from './spreadMarks.ts'

const JOB_PITCH = 13
const STREAM_ROWS = 3
const BREAK = 6
/** The colour of the key: any. */
const KEY_GROUP = 1

/** The jobs in the order in which they are given out: the latest and those to come, and where the least job in hands is further back, it too. */
export function stream({ spreading, state, markOf, front }: SpreadScene, width: number, top: number, made: Made): number {
  const { group, jobs } = spreading
  const y = headline(made, top, width, t('Stream'), t('{emitted} of {jobs} jobs taken', { emitted: count(state.emitted), jobs: count(jobs) }))
  const inRow = Math.max(1, Math.floor((width - JOB) / JOB_PITCH) + 1)
  const looks = { coming: 'dot', given: 'full', held: 'held', contended: 'contended', served: 'faint' } as const
  streamRows(state.emitted, front, inRow).forEach((row, k, rows) => {
    // Rows that do not follow each other are parted by a line.
    const parted = k > 0 && rows[k - 1] !== row - 1
    const at = y + k * JOB_PITCH + (parted ? BREAK : 0)
    if (parted) made.lines += `M0,${at - BREAK / 2 - 1.5}h${width}`
    for (let job = row * inRow; job < Math.min(jobs, (row + 1) * inRow); job++) {
      made.tiles.push({
        part: 'job',
        x: (job - row * inRow) * JOB_PITCH,
        y: at,
        width: JOB,
        height: JOB,
        group: group[job],
        text: '',
        look: looks[markOf(job)],
        share: null,
        depth: 0,
      })
    }
  })
  return keys(y + STREAM_ROWS * JOB_PITCH + BREAK, made)
}

/** Which rows of so many jobs are shown, in order. They change a whole row at a time, so that a job stands still while others pass. */
export function streamRows(emitted: number, front: number | null, inRow: number): readonly number[] {
  const latest = Math.floor(Math.max(0, emitted - 1) / inRow)
  const first = front === null ? latest : Math.floor(front / inRow)
  if (first < latest - 1) return [first, first + 1, latest]
  const from = Math.max(0, latest - 1)
  return Array.from({ length: STREAM_ROWS }, (_, k) => from + k)
}

/** What the looks of a job mean. */
function keys(y: number, made: Made): number {
  let x = 0
  for (const [look, text] of [
    ['faint', t('served')],
    ['held', t('in hands')],
    ['contended', t('waits for its group')],
  ] as const) {
    made.tiles.push({ part: 'key', x, y, width: JOB, height: JOB, group: KEY_GROUP, text: '', look, share: null, depth: 0 })
    made.words.push({ x: x + JOB + 4, y: y + 9, text, end: false, kind: 'key' })
    // A letter is about half as wide as it is high.
    x += JOB + 4 + text.length * 5.2 + 12
  }
  return y + JOB
}
