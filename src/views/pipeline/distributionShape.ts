import type { StageColour } from '../drawing/palette.ts'

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
export function shapePaths(shape: DistributionShape, width: number, height: number): ShapePaths {
  const { curve, masses } = shape
  const xs = [...curve, ...masses].map((point) => point.x)
  const low = Math.min(...xs)
  const high = Math.max(...xs)
  const most = Math.max(...curve.map((point) => point.y), 0)
  const x = (value: number) => (high > low ? ((value - low) / (high - low)) * (width - 2) + 1 : width / 2)
  const y = (value: number) => height - 0.75 - (most > 0 ? value / most : 0) * (height - 2)
  const foot = height - 0.75
  // Straight lines will do: the points are a pixel or two apart.
  const points = curve.length < 2 ? [] : curve.map((point) => `${x(point.x).toFixed(2)},${y(point.y).toFixed(2)}`)
  const path = points.join('L')
  return {
    area: points.length === 0 ? '' : `M${x(curve[0].x).toFixed(2)},${foot}L${path}L${x(curve[curve.length - 1].x).toFixed(2)},${foot}Z`,
    line: points.length === 0 ? '' : `M${path}`,
    masses:
      masses.map((mass) => `M${x(mass.x).toFixed(2)} ${foot}V${(foot - mass.y * (height - 3)).toFixed(2)}`).join('') +
      (points.length === 0 ? `M1 ${foot}H${width - 1}` : ''),
  }
}

const cachedPaths = new WeakMap<DistributionShape, { readonly width: number; readonly height: number; readonly area: Path2D; readonly drawn: Path2D }>()

/** Paints a shape in a box at the origin. Its paths are cached, since it is painted at every frame. */
export function paintShape(context: CanvasRenderingContext2D, shape: DistributionShape, colour: StageColour, width: number, height: number): void {
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
