import { t } from '../../../language/translate.ts'
import type { Source } from '../../../scenario/model/scenario.ts'
import { duration, rate } from '../../../views/drawing/format.ts'
import { arrivalRate } from './arrivalRate.ts'

const WIDTH = 300
const HEIGHT = 48

/** The arrival rate over time. */
export function RateShape({ source }: { readonly source: Source }) {
  const shape = arrivalRate(source)
  if (shape === null) return null
  const { points, end, most } = shape
  const x = (time: number) => (Math.min(1, time / end) * WIDTH).toFixed(1)
  const y = (perSecond: number) => (HEIGHT - 1 - (perSecond / most) * (HEIGHT - 4)).toFixed(1)
  const line = points.map(([time, perSecond]) => `${x(time)} ${y(perSecond)}`).join('L')
  return (
    <figure className="form-rate">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="form-rate-area" d={`M${x(points[0][0])} ${HEIGHT}L${line}L${x(points[points.length - 1][0])} ${HEIGHT}Z`} />
        <path className="form-rate-line" d={`M${line}`} />
      </svg>
      <figcaption>
        <span>{points.every(([, each]) => each === most) ? rate(most) : t('up to {most}', { most: rate(most) })}</span>
        <span>{duration(end)}</span>
      </figcaption>
    </figure>
  )
}
