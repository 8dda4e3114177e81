/** One area of a small picture of a whole run: the stacked queues above, the stacked seats below. */
export interface GlimpseShape {
  readonly stage: number
  readonly part: 'queue' | 'seats'
  /** The outline as an SVG path. */
  readonly d: string
}

/** The queues' share of the height, and the gap between queues and seats. */
const QUEUES = 0.6
const GAP = 4

/** Returns the areas for samples by stage over equal parts of the run. The greatest sum reaches the top; stages that are always 0 are left out. */
export function glimpseShapes(queues: readonly (readonly number[])[], seats: readonly (readonly number[])[], width: number, height: number): GlimpseShape[] {
  const middle = Math.round(height * QUEUES)
  return [...stacked('queue', queues, width, 0, middle), ...stacked('seats', seats, width, middle + GAP, height)]
}

function stacked(part: GlimpseShape['part'], rows: readonly (readonly number[])[], width: number, top: number, bottom: number): GlimpseShape[] {
  const samples = rows[0]?.length ?? 0
  const most = Array.from({ length: samples }, (_, i) => rows.reduce((sum, row) => sum + row[i], 0)).reduce((a, b) => Math.max(a, b), 0)
  if (most <= 0) return []
  const scale = (bottom - top) / most
  let floor = new Array<number>(samples).fill(bottom)
  return rows.flatMap((row, stage) => {
    if (row.every((value) => value === 0)) return []
    const ceiling = floor.map((y, i) => y - row[i] * scale)
    const d = `M${edge(ceiling, width)}L${edge(floor, width, true)}Z`
    floor = ceiling
    return [{ stage, part, d }]
  })
}

/** Returns the points along a row of samples, each a level line, from the left, or back from the right. */
function edge(ys: readonly number[], width: number, back = false): string {
  const step = width / ys.length
  const points = ys.flatMap((y, i) => [`${short(i * step)} ${short(y)}`, `${short((i + 1) * step)} ${short(y)}`])
  return (back ? points.reverse() : points).join('L')
}

const short = (value: number) => String(Math.round(value * 10) / 10)
