import { type KeyboardEvent, useRef } from 'react'
import type { Drawing } from '../../../views/drawing/drawing.ts'
import type { ColumnPlotEvents } from '../../../views/plots/columnPlot.ts'
import { useDrawing } from './useDrawing.ts'

interface Props<Data> {
  readonly className: string
  readonly label: string
  /** The values of the columns, in ascending order. */
  readonly values: readonly number[]
  /** The column under the pointer, or that of the scenario; -1: none. */
  readonly column: number
  /** The text about that column. */
  readonly text: string
  /** The data of the plot. */
  readonly data: Data
  mount(host: HTMLElement, events: ColumnPlotEvents): Drawing<Data>
  /** The person looks at another column; -1: at none. */
  look(column: number): void
  choose(column: number): void
}

/** A plot over columns. Pointer and arrow keys show a column, a click or Enter chooses its value. */
export function ColumnSlider<Data>({ className, label, values, column, text, data, mount, look, choose }: Props<Data>) {
  const latest = useRef(choose)
  latest.current = choose
  const host = useDrawing(
    (element) => mount(element, { look, choose: (each) => latest.current(each) }),
    (plot) => plot.update(data),
  )
  const from = Math.max(0, column)
  const onKeyDown = (event: KeyboardEvent) => {
    const last = values.length - 1
    const walk: Readonly<Record<string, number>> = { ArrowRight: from + 1, ArrowUp: from + 1, ArrowLeft: from - 1, ArrowDown: from - 1, Home: 0, End: last }
    if (event.key === 'Enter' || event.key === ' ') choose(from)
    else if (event.key in walk) look(Math.min(last, Math.max(0, walk[event.key])))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={host}
      className={className}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={values[0]}
      aria-valuemax={values[values.length - 1]}
      aria-valuenow={values[from]}
      aria-valuetext={text}
      onKeyDown={onKeyDown}
      onPointerLeave={() => look(-1)}
      onBlur={() => look(-1)}
    />
  )
}
