import { extent, max } from 'd3-array'
import type { Context } from '../drawing/canvas.ts'
import type { StageColour } from '../drawing/palette.ts'
import { areaPath, linePath } from '../drawing/svg.ts'

/** A distribution as it is drawn: its density at points ascending in x, and single values with a probability of their own. */
export interface DistributionShape {
  readonly curve: readonly { readonly x: number; readonly y: number }[]
  /** The single values: a constant has one. `y` is relative to the most probable. */
  readonly masses: readonly { readonly x: number; readonly y: number }[]
}

export interface ShapePaths {
  readonly area: string
  readonly line: string
  readonly masses: string
}

/** Returns the SVG paths of a shape that fills a box. */
export function shapePaths({ curve, masses }: DistributionShape, width: number, height: number): ShapePaths {
  const foot = height - 0.75
  const [low = 0, high = 0] = extent([...curve, ...masses], ({ x }) => x)
  const most = max(curve, ({ y }) => y) || 1
  const x = (value: number) => (high > low ? ((value - low) / (high - low)) * (width - 2) + 1 : width / 2)
  // Straight lines will do: the points are a pixel or two apart.
  const points = curve.length < 2 ? [] : curve.map((point) => [x(point.x), foot - (point.y / most) * (height - 2)] as const)
  const needles = masses.map((mass) => `M${x(mass.x).toFixed(2)} ${foot}V${(foot - mass.y * (height - 3)).toFixed(2)}`).join('')
  return { area: areaPath(points, foot), line: linePath(points), masses: needles + (points.length === 0 ? `M1 ${foot}H${width - 1}` : '') }
}

const cachedPaths = new WeakMap<DistributionShape, { readonly width: number; readonly height: number; readonly area: Path2D; readonly drawn: Path2D }>()

/** Paints a shape in a box at the origin. Its paths are cached, since it is painted at every frame. */
export function paintShape(context: Context, shape: DistributionShape, colour: StageColour, width: number, height: number): void {
  let paths = cachedPaths.get(shape)
  if (paths === undefined || paths.width !== width || paths.height !== height) {
    const { area, line, masses } = shapePaths(shape, width, height)
    paths = { width, height, area: new Path2D(area), drawn: new Path2D(line + masses) }
    cachedPaths.set(shape, paths)
  }
  context.fillStyle = colour.wash
  context.fill(paths.area)
  context.strokeStyle = colour.fill
  context.lineWidth = 1.4
  context.lineJoin = 'round'
  context.lineCap = 'round'
  context.stroke(paths.drawn)
}
