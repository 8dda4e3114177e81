import { type KeyboardEvent, useRef } from 'react'
import { type ColumnPlotData, mountColumnPlot } from '../../../views/plots/columnPlot.ts'
import { currentPalette } from '../page/theme.ts'
import { useDrawing } from './useDrawing.ts'

interface Props extends Omit<ColumnPlotData, 'palette'> {
  readonly className: string
  readonly label: string
  /** The column under the pointer, or that of the scenario; -1: none. */
  readonly column: number
  readonly text: string
  /** Called when the person points at another column; -1: at none. */
  look(column: number): void
  choose(column: number): void
}

/** A plot over columns. Pointer and arrow keys show a column, a click or Enter chooses its value. */
export function ColumnSlider({
  className,
  label,
  values,
  column,
  text,
  now,
  focus,
  bands,
  write,
  look,
  choose,
}: Props) {
  const latest = useRef(choose)
  latest.current = choose
  const host = useDrawing(
    (element) => mountColumnPlot(element, { look, choose: (each) => latest.current(each) }),
    (plot) => plot.update({ palette: currentPalette(), values, now, focus, bands, write }),
  )
  const from = Math.max(0, column)
  const onKeyDown = (event: KeyboardEvent) => {
    const last = values.length - 1
    const walk: Readonly<Record<string, number>> = {
      ArrowRight: from + 1,
      ArrowUp: from + 1,
      ArrowLeft: from - 1,
      ArrowDown: from - 1,
      Home: 0,
      End: last,
    }
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
