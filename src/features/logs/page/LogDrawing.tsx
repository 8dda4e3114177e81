import { useEffect, useRef, useState } from 'react'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { t } from '../../../language/translate.ts'
import { clock } from '../../../views/drawing/format.ts'
import { fitRange, type TimeRange } from '../../../views/timeline/timelineRange.ts'
import { mountLogDrawing } from '../draw/logDrawing.ts'
import type { OpenedLog } from '../logFile.ts'
import { logPointAt } from '../measure/logPoints.ts'
import type { OpenLoop } from '../measure/openLoop.ts'

interface Props {
  readonly log: OpenedLog
  readonly loop: OpenLoop
  readonly rule: string
  /** The most seats there were. */
  readonly most: number
  readonly point: number
  go(to: number): void
}

/** The drawing of a log, and a slider that does the same by keyboard. */
export function LogDrawing({ log, loop, rule, most, point, go }: Props) {
  const { points, queues, had } = log
  const palette = currentPalette()
  const slider = useRef<HTMLInputElement>(null)
  const end = points.time[points.length - 1]
  const [range, setRange] = useState<TimeRange>(() => fitRange(end))
  const seek = useRef((_: number) => {})
  seek.current = (time) => go(logPointAt(points, time))
  const host = useDrawing(
    (element) => mountLogDrawing(element, { seek: (time) => seek.current(time), showRange: setRange }),
    (drawing) =>
      drawing.update({
        palette,
        range,
        end: Math.max(end, 1),
        playhead: points.time[point],
        stages: points.log.stages.map((name, s) => ({ name, colourIndex: s })),
        queues,
        actualSeats: had,
        ruleSeats: loop.seats,
        differing: loop.differing,
        workers: Math.max(1, most),
        rule,
      }),
  )
  // The button that opened the log is gone, and with it the focus.
  useEffect(() => slider.current?.focus(), [])
  return (
    <div className="log-drawing">
      <div ref={host} />
      <input
        ref={slider}
        type="range"
        className="scrub"
        aria-label={t('Point')}
        min={0}
        max={Math.max(end, 1)}
        step="any"
        value={points.time[point]}
        aria-valuetext={clock(points.time[point])}
        onChange={(event) => go(logPointAt(points, Number(event.target.value)))}
      />
      <p className="soft">
        {t('Drag to any instant; Ctrl and the wheel, or two fingers, zoom, a double click shows all. Comma and full stop go from difference to difference.')}
      </p>
    </div>
  )
}
