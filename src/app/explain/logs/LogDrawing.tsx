import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { logPointAt } from '../../../measures/logs/logPoints.ts'
import type { OpenLoop } from '../../../measures/logs/openLoop.ts'
import type { OpenedLog } from '../../../runs/files/logFile.ts'
import type { Drawing } from '../../../views/drawing/drawing.ts'
import { clock } from '../../../views/drawing/format.ts'
import { type LogData, mountLogDrawing } from '../../../views/logs/logDrawing.ts'
import { fitRange, type TimeRange } from '../../../views/timeline/timelineRange.ts'
import { currentPalette, themeStore } from '../../base/page/theme.ts'

interface Props {
  readonly log: OpenedLog
  readonly loop: OpenLoop
  readonly rule: string
  /** The most seats there were. */
  readonly most: number
  readonly point: number
  go(to: number): void
}

/** The drawing of a log, and a slider that does the same for whoever cannot point. */
export function LogDrawing({ log, loop, rule, most, point, go }: Props) {
  const { points, queues, had } = log
  const palette = useStore(themeStore, (state) => state.palette) ?? currentPalette()
  const host = useRef<HTMLDivElement>(null)
  const slider = useRef<HTMLInputElement>(null)
  const drawing = useRef<Drawing<LogData> | null>(null)
  const end = points.time[points.length - 1]
  const [range, setRange] = useState<TimeRange>(() => fitRange(end))
  const heard = useRef<(time: number) => void>(() => {})
  heard.current = (time) => go(logPointAt(points, time))
  useEffect(() => {
    if (host.current === null) return
    const element = host.current
    // What opened the log is gone, and with it the focus.
    slider.current?.focus()
    const mounted = mountLogDrawing(element, { seek: (time) => heard.current(time), showRange: setRange })
    drawing.current = mounted
    const sized = new ResizeObserver(() => mounted.resize())
    sized.observe(element)
    return () => {
      sized.disconnect()
      mounted.destroy()
      drawing.current = null
    }
  }, [])
  useEffect(() => {
    const { stages } = points.log
    drawing.current?.update({
      palette,
      range,
      end: Math.max(end, 1),
      playhead: points.time[point],
      stages: stages.map((name, s) => ({ name, colourIndex: s })),
      queues,
      actualSeats: had,
      ruleSeats: loop.seats,
      differing: loop.differing,
      workers: Math.max(1, most),
      rule,
    })
  })
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
