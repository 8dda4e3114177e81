import { t } from '../../../language/translate.ts'
export interface SliderRange {
  readonly least: number
  readonly most: number
  /** Linear steps instead of ratios. */
  readonly linear?: boolean
  /** Whole numbers only. */
  readonly whole?: boolean
}

/** Returns the range of whole numbers from 1 on. */
export const upTo = (most: number): SliderRange => ({ least: 1, most, whole: true })

const STEPS = 400

/** A slider beside a number field. In ratios it gives numbers of two figures. A value outside its range shows at the end. */
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
      onChange={(event) => onChange(nextDifferent(value, Number(event.target.value), range))}
    />
  )
}

/** Returns the value at a step, or the next one that differs from the present value after rounding. */
export function nextDifferent(value: number, step: number, range: SliderRange): number {
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
