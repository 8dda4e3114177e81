import type { Band, LaneRows, TimelineLayout } from '../../../views/timeline/timelineLayout.ts'

/** The places of all parts of a log's drawing, in pixels of the page. */
export interface LogLayout extends Pick<TimelineLayout, 'width' | 'height' | 'narrow' | 'plot' | 'pill' | 'queues' | 'foot' | 'axis'> {
  /** The seats that the system had, the marks where the rule differs, and the seats of the rule. */
  readonly actual: Band
  readonly differing: Band
  readonly rule: Band
}

const BAND = 34
const GAP = 12
const MARKS = 5
const AXIS = 28
const MOST_QUEUES = 240
const PITCH = 38

/** Returns the layout from top to bottom. Many queues share the height of a few. `staffed`: the log says how many workers there were. */
export function logLayout(width: number, stages: number, staffed: boolean): LogLayout {
  const narrow = width < 640
  const left = narrow ? 100 : 140
  const plot = { x: left, width: Math.max(40, width - left - (narrow ? 12 : 20)) }
  const pill = { y: 4, height: 18 }
  const pitch = stages * PITCH <= MOST_QUEUES ? PITCH : MOST_QUEUES / stages
  const queues: LaneRows = {
    y: 30,
    height: Math.ceil(pitch * stages),
    pitch,
    row: pitch > 8 ? Math.round(pitch * 0.78) : pitch,
    labelEvery: Math.max(1, Math.ceil(14 / pitch)),
  }
  const actual = { y: queues.y + queues.height + GAP, height: staffed ? BAND : 0 }
  const differing = { y: actual.y + actual.height + (staffed ? 4 : 0), height: MARKS }
  const rule = { y: differing.y + MARKS + 4, height: BAND }
  const foot = rule.y + BAND + 4
  return { width, height: foot + AXIS, narrow, plot, pill, queues, actual, differing, rule, foot, axis: AXIS }
}
