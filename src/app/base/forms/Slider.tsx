import { useRef } from 'react'
import { t } from '../../../language/translate.ts'
export interface SliderRange {
  readonly min: number
  readonly max: number
  /** Linear steps instead of ratios. */
  readonly linear?: boolean
  readonly whole?: boolean
}

export const upTo = (max: number): SliderRange => ({ min: 1, max, whole: true })

const STEPS = 400

interface SliderProps {
  readonly label: string
  readonly range: SliderRange
  readonly value: number
  readonly text: string
  readonly onChange: (value: number) => void
}

/** A slider beside a number field. With ratios its values have two significant figures. A value outside the range is shown at the end. */
export function Slider({ label, range, value, text, onChange }: SliderProps) {
  // A key moves it by one step, which must change the value. The thumb follows the pointer.
  const pressed = useRef(false)
  const press = (now: boolean) => () => {
    pressed.current = now
  }
  return (
    <input
      type="range"
      aria-label={t('{label}, slider', { label })}
      aria-valuetext={text}
      min={0}
      max={STEPS}
      value={toStep(value, range)}
      onPointerDown={press(true)}
      onPointerUp={press(false)}
      onPointerCancel={press(false)}
      onChange={({ target }) => {
        const step = Number(target.value)
        onChange(pressed.current ? fromStep(step, range) : nextDifferent(value, step, range))
      }}
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

export function toStep(value: number, { min, max, linear = false }: SliderRange): number {
  const inside = Math.min(max, Math.max(min, value))
  const share = linear ? (inside - min) / (max - min) : Math.log(inside / min) / Math.log(max / min)
  return Math.round(share * STEPS)
}

export function fromStep(step: number, { min, max, linear = false, whole = false }: SliderRange): number {
  const share = step / STEPS
  const value = linear ? min + share * (max - min) : min * Math.exp(share * Math.log(max / min))
  const rounded = Number(value.toPrecision(2))
  return whole ? Math.round(rounded) : rounded
}
