import type { LaneRows, TimelineLayout } from '../timeline/timelineLayout.ts'

/** Where everything of a log's drawing stands, in pixels of the page. */
export interface LogLayout extends Pick<TimelineLayout, 'width' | 'height' | 'narrow' | 'plot' | 'pill' | 'queues' | 'foot' | 'axis'> {
  /** The seats that the system had, the marks where the rule differs, and the seats that the rule would have given. */
  readonly had: Band
  readonly differing: Band
  readonly given: Band
}

interface Band {
  readonly y: number
  readonly height: number
}

const BAND = 34
const GAP = 12
const MARKS = 5
const AXIS = 28
const MOST_QUEUES = 240
const PITCH = 38

/** Lays the drawing out from top to bottom; many queues share the height of a few. */
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
  const had = { y: queues.y + queues.height + GAP, height: staffed ? BAND : 0 }
  const differing = { y: had.y + had.height + (staffed ? 4 : 0), height: MARKS }
  const given = { y: differing.y + MARKS + 4, height: BAND }
  const foot = given.y + BAND + 4
  return { width, height: foot + AXIS, narrow, plot, pill, queues, had, differing, given, foot, axis: AXIS }
}
