import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { type ColumnPlotData, mountColumnPlot } from '../../../views/plots/columnPlot.ts'
import { currentPalette } from '../page/theme.ts'
import { marked } from '../words/Words.tsx'
import './columnSlider.css'
import { useDrawing } from './useDrawing.ts'

interface Props extends Omit<ColumnPlotData, 'palette' | 'focus'> {
  readonly label: string
  /** Returns the value of a column with its unit, and what is known of it. */
  nameOf(column: number): string
  detailsOf(column: number): string
  /** Gives the scenario the value of a column. Returns whether it accepts the value. */
  apply(column: number): boolean
  readonly children?: ReactNode
}

/** A plot over columns. Pointer and arrow keys show a column, a click or Enter chooses its value. */
export function ColumnSlider({ label, values, now, bands, write, nameOf, detailsOf, apply, children }: Props) {
  const [focus, setFocus] = useState(-1)
  const [taken, setTaken] = useState('')
  // Without a focus, the column of the scenario.
  const column = focus >= 0 ? focus : Math.max(0, values.indexOf(now ?? Number.NaN))
  const choose = (chosen: number) => {
    setFocus(chosen)
    if (apply(chosen)) setTaken(t('Taken: {what}.', { what: nameOf(chosen) }))
  }
  const latest = useRef(choose)
  latest.current = choose
  const host = useDrawing(
    (element) => mountColumnPlot(element, { look: setFocus, choose: (chosen) => latest.current(chosen) }),
    (plot) => plot.update({ palette: currentPalette(), values, now, focus, bands, write }),
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const last = values.length - 1
    const walk: Readonly<Record<string, number>> = {
      ArrowRight: column + 1,
      ArrowUp: column + 1,
      ArrowLeft: column - 1,
      ArrowDown: column - 1,
      Home: 0,
      End: last,
    }
    if (event.key === 'Enter' || event.key === ' ') choose(column)
    else if (event.key in walk) setFocus(Math.min(last, Math.max(0, walk[event.key])))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const [name, details] = [nameOf(column), detailsOf(column)]
  return (
    <figure className="column-slider">
      <div
        ref={host}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={values[0]}
        aria-valuemax={values[values.length - 1]}
        aria-valuenow={values[column]}
        aria-valuetext={`${name}: ${details}`}
        onKeyDown={onKeyDown}
        onPointerLeave={() => setFocus(-1)}
        onBlur={() => setFocus(-1)}
      />
      <figcaption>
        <p>
          <b>{name}</b>: {marked([details])}.{' '}
          <span className="soft" aria-live="polite">
            {taken || t('A click or Enter takes it.')}
          </span>
        </p>
        {children}
      </figcaption>
    </figure>
  )
}
