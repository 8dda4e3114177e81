/** A small picture of a whole run: above, the queues of all stages on top of each other; below, who works where. */
export interface GlimpseShape {
  readonly stage: number
  readonly part: 'queue' | 'seats'
  /** An outline, as SVG writes it. */
  readonly d: string
}

/** The share of the height that the queues have, and what lies between them and the seats. */
const QUEUES = 0.6
const GAP = 4

/** By stage, samples over equal parts of the run, whose greatest sum reaches the top. Stages without anything are left out. */
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

/** Along a row of samples, each a level stretch, from the left or back from the right. */
function edge(ys: readonly number[], width: number, back = false): string {
  const step = width / ys.length
  const points = ys.flatMap((y, i) => [`${short(i * step)} ${short(y)}`, `${short((i + 1) * step)} ${short(y)}`])
  return (back ? points.reverse() : points).join('L')
}

const short = (value: number) => String(Math.round(value * 10) / 10)
