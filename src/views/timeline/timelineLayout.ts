/** The places of all parts of a timeline, in pixels of the page. A band reaches from `y` to `y + height`. */
export interface TimelineLayout {
  readonly width: number
  readonly height: number
  /** Names are painted in the plots instead of beside them. */
  readonly narrow: boolean
  readonly plot: { readonly x: number; readonly width: number }
  readonly pill: Band
  readonly decisions: Band
  /** The row of notes; 0 high without them. */
  readonly notes: Band
  readonly queues: LaneRows
  readonly seats: Band
  readonly workers: LaneRows
  /** Where the plots end, and the height of the axis below. */
  readonly foot: number
  readonly axis: number
  /** The middles of the headings of the notes, and of QUEUES, TARGETS and WORKERS. */
  readonly headings: {
    readonly notes: number
    readonly queues: number
    readonly seats: number
    readonly workers: number
  }
}

export interface Band {
  readonly y: number
  readonly height: number
}

/** Rows one below the other: row `k` begins at `y + k * pitch` and is `row` high. Every `labelEvery`-th has room for its name. */
export interface LaneRows extends Band {
  readonly pitch: number
  readonly row: number
  readonly labelEvery: number
}

const QUEUE_PITCH = 46
const LANE_PITCH = 17
const SEATS = 40
const MIN_SEATS = 24
const NOTES = 12
const AXIS = 28
const LABEL_STEPS = [1, 2, 5, 10, 20, 50, 100, 200]

function frameOf(width: number, noted: boolean) {
  const narrow = width < 640
  const noteHead = noted ? (narrow ? 18 : 2) : 0
  return {
    narrow,
    top: narrow ? 8 : 6,
    gap: narrow ? 24 : 11,
    queueHead: narrow ? 26 : noted ? 18 : 6,
    noteHead,
    noteHeight: noted ? NOTES : 0,
  }
}

/** The least height of a lane with its gap, so that lanes can be distinguished, and of a queue, so that its name fits. */
const MIN_LANE = 4
const MIN_QUEUE = 15
/** The least height of the lane of a team: shares are read from it. */
export const MIN_TEAM = 16

/** Returns the height below which a scroll bar is better than smaller rows. `leastLane`: of a lane with its gap. `noted`: with a row of notes. */
export function leastHeight(
  width: number,
  stages: number,
  workers: number,
  leastLane = MIN_LANE,
  noted = false,
): number {
  const { top, gap, queueHead, noteHead, noteHeight } = frameOf(width, noted)
  const forLanes = Math.min(2 * workers * leastLane, workers * leastLane + stages * QUEUE_PITCH)
  const forQueues = Math.min(2 * stages * MIN_QUEUE, stages * MIN_QUEUE + workers * LANE_PITCH)
  return top + 18 + 9 + noteHead + noteHeight + queueHead + 2 * gap + AXIS + MIN_SEATS + Math.max(forLanes, forQueues)
}

/** Returns the layout of a timeline. In a high place all rows grow by up to a third, and the rest stays empty below; `sharedHeights` divides it. `noted`: with a row of notes. */
export function timelineLayout(
  width: number,
  height: number,
  stages: number,
  workers: number,
  noted = false,
): TimelineLayout {
  const { narrow, top, gap, queueHead, noteHead, noteHeight } = frameOf(width, noted)
  const plot = narrow
    ? { x: 28, width: Math.max(40, width - 28 - 14) }
    : { x: 112, width: Math.max(40, width - 112 - 22) }
  const pill = { y: top, height: 18 }
  const decisions = { y: top + 20, height: 5 }
  const notes = { y: decisions.y + decisions.height + noteHead, height: noteHeight }
  const begin = notes.y + notes.height + 2 + queueHead
  const free = Math.max(24, height - begin - 2 * gap - AXIS)
  const [queueHeight, seatHeight, laneHeight] = sharedHeights(free, stages * QUEUE_PITCH, workers * LANE_PITCH)
  const queues = rowsIn(begin, queueHeight, stages, 0.78, 14)
  const seats = { y: queues.y + queues.height + gap, height: seatHeight }
  const lanes = rowsIn(seats.y + seats.height + gap, laneHeight, workers, 0.76, 12)
  const foot = lanes.y + lanes.height
  const above = 11
  return {
    width,
    height,
    narrow,
    plot,
    pill,
    decisions,
    notes,
    queues,
    seats,
    workers: lanes,
    foot,
    axis: AXIS,
    headings: narrow
      ? {
          notes: notes.y - 8,
          queues: begin - above,
          seats: seats.y - above,
          workers: lanes.y - above,
        }
      : {
          notes: notes.y + 6,
          queues: noted ? begin - 9 : pill.y + 9,
          seats: seats.y + 6,
          workers: lanes.y + Math.min(lanes.row, 14) / 2,
        },
  }
}

/** Returns the heights of queues, seats and lanes. If there is too little for all, queues and lanes share it, and one that needs less than half gets what it needs. */
function sharedHeights(free: number, queues: number, lanes: number): [number, number, number] {
  const wanted = queues + SEATS + lanes
  if (wanted <= free) {
    const factor = Math.min(4 / 3, free / wanted)
    return [queues * factor, Math.round(SEATS * factor), lanes * factor]
  }
  const seats = Math.round(Math.min(SEATS, Math.max(free > 160 ? MIN_SEATS : 8, (SEATS * free) / wanted)))
  const rest = free - seats
  const half = rest / 2
  if (queues < half) return [queues, seats, rest - queues]
  if (lanes < half) return [rest - lanes, seats, lanes]
  return [half, seats, half]
}

/** Returns rows of whole pixels, so that all are equally high, or of parts of pixels where there are too many. */
function rowsIn(y: number, height: number, n: number, full: number, label: number): LaneRows {
  const pitch = n === 0 ? 0 : height / n
  const whole = pitch >= 3 ? Math.floor(pitch) : pitch
  const row = whole >= 3 ? Math.max(2, Math.round(whole * full)) : whole
  const labelEvery = LABEL_STEPS.find((every) => every * whole >= label) ?? 500
  return { y: Math.round(y), height: Math.ceil(whole * n), pitch: whole, row, labelEvery }
}
