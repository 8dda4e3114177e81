import { t } from '../../../language/translate.ts'
import { Button } from '../../base/controls/Button.tsx'
import { useSession } from '../../session/useSession.ts'
import './drawnRate.css'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { Scenario, Source } from '../../../scenario/model/scenario.ts'
import { lastArrival } from '../../../scenario/model/sources.ts'
import { stepPath } from '../../../views/drawing/curves.ts'
import type { ShareOfPlace } from '../../../views/drawing/dragging.ts'
import { duration, rate } from '../../../views/drawing/format.ts'
import { areaPath, linePath } from '../../../views/drawing/svg.ts'
import { editOrShowProblems } from '../../session/scenario/scenarioStore.ts'
import {
  added,
  type Drawable,
  MAX_HANDLES,
  moved,
  type Plane,
  planeFor,
  type RatePoint,
  ratePoints,
  removed,
  stroked,
  withRatePoints,
} from './drawnRate.ts'
import { arrivalRate } from './sourceShapes.ts'
import { usePulls } from './usePulls.ts'

const WIDTH = 300
const HEIGHT = 110

interface RateProps {
  readonly source: Drawable
  /** Sets the rate of the present scenario, unless its source has another kind by then. */
  readonly put: (scenario: Scenario, redraw: (before: Drawable) => Drawable) => Scenario
}

/** A rate over time: a drag draws, or moves a corner; a click adds one. Arrows move a corner, Page Up and Page Down choose, Enter adds, Delete removes. */
export function RateDrawing({ source, put: putRate }: RateProps) {
  const session = useSession()
  /** What the pointer does: it moves a corner, or without one draws a line. The scenario changes when it is released. */
  const hand = useRef<{
    readonly corner: number | null
    readonly line: RatePoint[]
    to: readonly RatePoint[] | null
  } | null>(null)
  const [draft, setDraft] = useState<readonly RatePoint[] | null>(null)
  const [chosen, setChosen] = useState(0)
  const plane = planeFor(source)
  const points = draft ?? ratePoints(source)
  const at = Math.min(chosen, points.length - 1)
  const handles = points.length <= MAX_HANDLES
  // The part after the last job is paler.
  const over = Math.min(1, lastArrival(draft === null ? source : withRatePoints(source, draft)) / plane.end) * WIDTH

  const line = (source.kind === 'curve' ? linePath : stepPath)(outline(source.kind, points, plane))

  const pointAt = ([across, down]: ShareOfPlace): RatePoint => [across * plane.end, (1 - down) * plane.maxRate]
  const release = () => {
    hand.current = null
    setDraft(null)
  }
  const plot = usePulls(
    {
      take(at, on) {
        const corner = on instanceof Element ? on.getAttribute('data-corner') : null
        if (corner !== null) setChosen(Number(corner))
        hand.current = { corner: corner === null ? null : Number(corner), line: [pointAt(at)], to: null }
      },
      pull(at) {
        if (hand.current === null) return
        const { corner, line } = hand.current
        line.push(pointAt(at))
        hand.current.to =
          corner === null
            ? stroked(ratePoints(source), line, plane)
            : moved(ratePoints(source), corner, pointAt(at), plane)
        setDraft(hand.current.to)
      },
      drop() {
        if (hand.current === null) return
        const { corner, line, to } = hand.current
        if (to !== null) put(to)
        else if (corner === null && handles) addCorner(line[0])
        release()
      },
      cancel: release,
    },
    'none',
  )
  /** Makes one step of undo, or a part of the one before if the same key is pressed again. */
  const put = (next: readonly RatePoint[], merge?: string) =>
    editOrShowProblems(session, (scenario) => putRate(scenario, (before) => withRatePoints(before, next)), merge)

  const addCorner = (point: RatePoint) => {
    const { points: more, index } = added(ratePoints(source), point, plane)
    put(more)
    setChosen(index)
  }
  const choose = (index: number) => {
    const next = Math.min(points.length - 1, Math.max(0, index))
    setChosen(next)
    plot.current?.querySelector<HTMLElement>(`[data-corner="${next}"]`)?.focus()
  }
  const remove = () => {
    put(removed(points, at))
    setChosen(Math.max(0, at - 1))
  }
  const addBehind = () => {
    const [time, perSecond] = points[at]
    const next = points[at + 1] ?? [plane.end, perSecond]
    addCorner([(time + next[0]) / 2, source.kind === 'curve' ? (perSecond + next[1]) / 2 : perSecond])
  }
  const moveBy = (x: number, y: number) => {
    const [time, perSecond] = points[at]
    put(moved(points, at, [time + x * plane.end, perSecond + y * plane.maxRate], plane), `source.corner.${at}`)
  }
  const onKey = (event: KeyboardEvent) => {
    const by = event.shiftKey ? 0.1 : 0.01
    const actions: Readonly<Record<string, (() => void) | undefined>> = {
      ArrowLeft: () => moveBy(-by, 0),
      ArrowRight: () => moveBy(by, 0),
      ArrowUp: () => moveBy(0, by),
      ArrowDown: () => moveBy(0, -by),
      Delete: remove,
      Backspace: remove,
      PageDown: () => choose(at + 1),
      PageUp: () => choose(at - 1),
      Home: () => choose(0),
      End: () => choose(points.length - 1),
      Enter: addBehind,
      ...(hand.current !== null && { Escape: release }),
    }
    const action = actions[event.key]
    if (action === undefined) return
    action()
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="form-draw">
      <div className="form-draw-scale">
        <span>{rate(plane.maxRate)}</span>
        <span>0</span>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the corners on it are buttons, and whatever the pointer does the keys do there */}
      <div ref={plot} className="form-draw-plot" data-testid="rate-drawing" onKeyDown={onKey}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <path className="form-rate-area" d={`${line}V${HEIGHT}H0Z`} />
          <path className="form-rate-line" d={line} />
          <rect className="form-draw-over" x={over} width={WIDTH - over} height={HEIGHT} />
        </svg>
        {handles &&
          points.map(([time, perSecond], i) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: a corner has no other name than its place in the list
              key={i}
              type="button"
              data-corner={i}
              tabIndex={i === at ? 0 : -1}
              aria-label={t('Corner {i} of {length}: {time}, {perSecond}', {
                i: i + 1,
                length: points.length,
                time: duration(time),
                perSecond: rate(perSecond),
              })}
              style={{ left: `${(time / plane.end) * 100}%`, top: `${(1 - perSecond / plane.maxRate) * 100}%` }}
              onFocus={() => setChosen(i)}
            />
          ))}
      </div>
      <div className="form-draw-time">
        <span>0</span>
        <output>{handles && `${duration(points[at][0])}, ${rate(points[at][1])}`}</output>
        <span>{duration(plane.end)}</span>
      </div>
      <p className="form-draw-help">
        {t('Draw over it, or drag a corner.')}
        {handles && points.length > 1 && (
          <Button className="link" onClick={remove} text={t('Remove corner {at}', { at: at + 1 })} />
        )}
      </p>
    </div>
  )
}

/** Returns the points of the rate on the plot, from time 0 to the end of the plane. Steps go level to the next. */
function outline(kind: Drawable['kind'], points: readonly RatePoint[], { end, maxRate }: Plane): readonly Place[] {
  const places = points.map(
    ([time, perSecond]): Place => [
      (Math.min(time, end) / end) * WIDTH,
      HEIGHT - (Math.min(perSecond, maxRate) / maxRate) * HEIGHT,
    ],
  )
  const [[from, first]] = places
  return [[0, kind === 'steps' && from > 0 ? HEIGHT : first], ...places, [WIDTH, places[places.length - 1][1]]]
}

type Place = readonly [x: number, y: number]

const SHAPE_HEIGHT = 48

export function RateShape({ source }: { readonly source: Source }) {
  const shape = arrivalRate(source)
  if (shape === null) return null
  const { points, end, maxRate } = shape
  const places = points.map(
    ([time, perSecond]) =>
      [Math.min(1, time / end) * WIDTH, SHAPE_HEIGHT - 1 - (perSecond / maxRate) * (SHAPE_HEIGHT - 4)] as const,
  )
  return (
    <figure className="form-rate">
      <svg viewBox={`0 0 ${WIDTH} ${SHAPE_HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="form-rate-area" d={areaPath(places, SHAPE_HEIGHT)} />
        <path className="form-rate-line" d={linePath(places)} />
      </svg>
      <figcaption>
        <span>
          {points.every(([, each]) => each === maxRate) ? rate(maxRate) : t('up to {most}', { most: rate(maxRate) })}
        </span>
        <span>{duration(end)}</span>
      </figcaption>
    </figure>
  )
}
