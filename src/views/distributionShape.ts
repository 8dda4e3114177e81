import type { StageColour } from './palette.ts'
import { element, type Svg, set } from './svg.ts'

/** A distribution as a picture: its density at some points, ascending in x, and times that come up with a chance of their own. */
export interface Shape {
  readonly curve: readonly { readonly x: number; readonly y: number }[]
  /** Point masses: a constant is one needle. `y` is the share of the tallest. */
  readonly masses: readonly { readonly x: number; readonly y: number }[]
}

export interface ShapePaths {
  readonly area: string
  readonly line: string
  readonly masses: string
}

/** The paths of a shape in a box; its foot is the box's. The curve is scaled to the box, masses to its height times their share. */
export function shapePaths(shape: Shape, width: number, height: number): ShapePaths {
  const { curve, masses } = shape
  const xs = [...curve, ...masses].map((point) => point.x)
  const low = Math.min(...xs)
  const high = Math.max(...xs)
  const most = Math.max(...curve.map((point) => point.y), 0)
  const x = (value: number) => (high > low ? ((value - low) / (high - low)) * (width - 2) + 1 : width / 2)
  const y = (value: number) => height - 0.75 - (most > 0 ? value / most : 0) * (height - 2)
  const foot = height - 0.75
  // Straight from point to point: they stand a pixel or two apart.
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

/** Draws a shape into a group of an SVG. */
export function distributionShape(parent: Svg): (shape: Shape, colour: StageColour, width: number, height: number) => void {
  const filled = element(parent, 'path', { stroke: 'none' })
  const drawn = element(parent, 'path', { fill: 'none', 'stroke-width': 1.4, 'stroke-linejoin': 'round', 'stroke-linecap': 'round' })
  const upright = element(parent, 'path', { fill: 'none', 'stroke-width': 1.4, 'stroke-linecap': 'round' })
  return (shape, colour, width, height) => {
    const paths = shapePaths(shape, width, height)
    set(filled, { d: paths.area, fill: colour.wash })
    set(drawn, { d: paths.line, stroke: colour.fill })
    set(upright, { d: paths.masses, stroke: colour.fill })
  }
}
