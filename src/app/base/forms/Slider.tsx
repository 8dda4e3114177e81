import { t } from '../../../language/translate.ts'
export interface SliderRange {
  readonly least: number
  readonly most: number
  /** Even steps instead of even ratios. */
  readonly linear?: boolean
  /** Whole numbers only. */
  readonly whole?: boolean
}

const STEPS = 400

/** A slider beside a number. Over ratios it gives numbers of two figures, so that what it sets can be read. A value beyond its ends rests at the end. */
export function Slider({
  label,
  range,
  value,
  text,
  onChange,
}: {
  label: string
  range: SliderRange
  value: number
  text: string
  onChange: (value: number) => void
}) {
  return (
    <input
      type="range"
      aria-label={t('{label}, slider', { label })}
      aria-valuetext={text}
      min={0}
      max={STEPS}
      value={toStep(value, range)}
      onChange={(event) => onChange(otherThan(value, Number(event.target.value), range))}
    />
  )
}

/** The value at a step, or the first beyond it that differs from the present one: rounded to two figures, one step may be none. */
export function otherThan(value: number, step: number, range: SliderRange): number {
  const way = Math.sign(step - toStep(value, range))
  let at = step
  while (way !== 0 && at > 0 && at < STEPS && fromStep(at, range) === value) at += way
  return fromStep(at, range)
}

export function toStep(value: number, { least, most, linear = false }: SliderRange): number {
  const inside = Math.min(most, Math.max(least, value))
  const share = linear ? (inside - least) / (most - least) : Math.log(inside / least) / Math.log(most / least)
  return Math.round(share * STEPS)
}

export function fromStep(step: number, { least, most, linear = false, whole = false }: SliderRange): number {
  const share = step / STEPS
  const value = linear ? least + share * (most - least) : least * Math.exp(share * Math.log(most / least))
  const rounded = Number(value.toPrecision(2))
  return whole ? Math.round(rounded) : rounded
}
