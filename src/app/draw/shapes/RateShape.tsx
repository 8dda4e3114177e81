import { t } from '../../../language/translate.ts'
import type { Source } from '../../../scenario/model/scenario.ts'
import { duration, rate } from '../../../views/drawing/format.ts'
import { areaPath, linePath } from '../../../views/drawing/svg.ts'
import { arrivalRate } from './arrivalRate.ts'

const WIDTH = 300
const HEIGHT = 48

/** The arrival rate over time. */
export function RateShape({ source }: { readonly source: Source }) {
  const shape = arrivalRate(source)
  if (shape === null) return null
  const { points, end, most } = shape
  const places = points.map(([time, perSecond]) => [Math.min(1, time / end) * WIDTH, HEIGHT - 1 - (perSecond / most) * (HEIGHT - 4)] as const)
  return (
    <figure className="form-rate">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="form-rate-area" d={areaPath(places, HEIGHT)} />
        <path className="form-rate-line" d={linePath(places)} />
      </svg>
      <figcaption>
        <span>{points.every(([, each]) => each === most) ? rate(most) : t('up to {most}', { most: rate(most) })}</span>
        <span>{duration(end)}</span>
      </figcaption>
    </figure>
  )
}
