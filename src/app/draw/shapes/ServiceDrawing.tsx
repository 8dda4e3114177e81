import { t } from '../../../language/translate.ts'
import { Translated } from '../../base/ui/Translated.tsx'
import './serviceDrawing.css'
import { type KeyboardEvent, useMemo, useRef } from 'react'
import { serviceMean } from '../../../scenario/model/distributions.ts'
import type { Service } from '../../../scenario/model/scenario.ts'
import { duration } from '../../../views/drawing/format.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { areaPath, linePath } from '../../../views/drawing/svg.ts'
import { quantileOf } from '../../../workload/laws.ts'
import { currentPalette } from '../../base/page/theme.ts'
import {
  type Grip,
  gripsOf,
  planeOf,
  pulled,
  type ServicePicture,
  servicePicture,
  shareOf,
  stepped,
  type TimePlane,
  timeAtShare,
} from './drawnService.ts'
import { usePulls } from './usePulls.ts'

const WIDTH = 300
const HEIGHT = 108
/** The margins of the plot in pixels: below the axis for the grips of times, and at the top. */
const FOOT = 20
const TOP = 14

interface Props {
  readonly service: Service
  /** The value while a grip is pulled; null while none is. */
  readonly drawn: Service | null
  /** The stage's number, for its colour. */
  readonly index: number
  /** Asks for another value while a grip is pulled; null once it is released. */
  readonly onPull: (pulled: Service | null) => void
  /** Sets the value. For keys `merge` makes a series of presses one step of undo. */
  readonly onSet: (next: Service, merge?: string) => void
}

/** A service time as a shape with grips, which are sliders. A press elsewhere pulls the nearest. The scenario changes when a grip is released. */
export function ServiceDrawing({ service, drawn, index, onPull, onSet }: Props) {
  /** The grip that is held, and the value that it has been pulled to. */
  const hand = useRef<{ readonly key: string; to: Service | null } | null>(null)
  const present = drawn ?? service
  // The axis stays while a grip is pulled.
  const plane = useMemo(() => planeOf(service), [service])
  const picture = useMemo(() => servicePicture(present, plane), [present, plane])
  const p99 = useMemo(() => quantileOf(present, 0.99), [present])
  const mean = serviceMean(present)
  const colour = stageColour(currentPalette(), index)
  const grips = gripsOf(present)
  const showsP99 = Math.abs(shareOf(plane, p99) - shareOf(plane, mean)) > 0.01

  const release = () => {
    hand.current = null
    onPull(null)
  }
  const plot = usePulls({
    take([share], on) {
      if (grips.length === 0) return
      const grip = on instanceof Element ? on.getAttribute('data-grip') : null
      hand.current = { key: grip ?? nearest(grips, share, plane), to: null }
    },
    pull([share, down]) {
      if (hand.current === null) return
      hand.current.to = pulled(
        service,
        hand.current.key,
        { time: timeAtShare(plane, share), height: heightAt(down) },
        plane,
      )
      onPull(hand.current.to)
    },
    drop() {
      if (hand.current === null) return
      if (hand.current.to !== null) onSet(hand.current.to)
      release()
    },
    cancel: release,
  })
  const onKey = (event: KeyboardEvent) => {
    const key = event.target instanceof Element ? event.target.getAttribute('data-grip') : null
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key]
    if (event.key === 'Escape' && hand.current !== null) release()
    else if (key !== null && steps !== undefined)
      onSet(stepped(service, key, event.shiftKey && Math.abs(steps) === 1 ? 10 * steps : steps, plane), key)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="form-service" style={{ '--fill': colour.fill, '--wash': colour.wash } as React.CSSProperties}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the grips on it are sliders, and whatever the pointer does the keys do there */}
      <div
        ref={plot}
        className="form-service-plot"
        data-testid="service-drawing"
        data-fixed={grips.length === 0}
        onKeyDown={onKey}
      >
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <Picture picture={picture} />
          <Upright share={shareOf(plane, mean)} className="form-service-mean" />
          {showsP99 && <Upright share={shareOf(plane, p99)} className="form-service-far" />}
        </svg>
        <Note share={shareOf(plane, mean)} other={shareOf(plane, p99)}>
          {t('mean')}
        </Note>
        {showsP99 && (
          <Note share={shareOf(plane, p99)} other={shareOf(plane, mean)}>
            99%
          </Note>
        )}
        {grips.map(({ key, label, along, at, height, words }) => (
          <div
            key={key}
            role="slider"
            tabIndex={0}
            data-grip={key}
            data-along={along}
            aria-label={t('Shape: {label}', { label })}
            aria-orientation={along === 'time' ? 'horizontal' : 'vertical'}
            aria-valuemin={along === 'time' ? Math.floor(plane.from) : 0}
            aria-valuemax={along === 'time' ? Math.ceil(plane.to) : 100}
            aria-valuenow={along === 'time' ? Math.round(at) : Math.round(height * 100)}
            aria-valuetext={words}
            title={`${label}: ${words}`}
            style={{
              left: `${Math.min(1, Math.max(0, shareOf(plane, at))) * 100}%`,
              top: `${(yOf(height) / HEIGHT) * 100}%`,
              ...(height === 0 && along === 'time' && { top: `${(1 - FOOT / 2 / HEIGHT) * 100}%` }),
            }}
          />
        ))}
      </div>
      <div className="form-service-axis">
        <span>{plane.log ? duration(plane.from) : '0'}</span>
        <span>{plane.log && t('even ratios')}</span>
        <span>{duration(plane.to)}</span>
      </div>
      <p className="form-sum">
        <Translated
          text="Mean <b>{mean}</b>, 99% within <b>{p99}</b>"
          values={{ mean: duration(mean), p99: duration(p99) }}
          tags={{ b: (inside) => <b>{inside}</b> }}
        />
      </p>
    </div>
  )
}

const yOf = (height: number) => HEIGHT - FOOT - height * (HEIGHT - FOOT - TOP)
/** The height at a share of the whole plot from its upper edge. */
const heightAt = (down: number) => 1 - (down * HEIGHT - TOP) / (HEIGHT - FOOT - TOP)
const xOf = (share: number) => (Math.min(1.01, Math.max(-0.01, share)) * WIDTH).toFixed(1)

function Picture({ picture: { curve, needles, bars } }: { readonly picture: ServicePicture }) {
  const line = curve.map(([share, height]) => [Number(xOf(share)), yOf(height)] as const)
  const wide = WIDTH / Math.max(1, bars.length)
  return (
    <>
      {line.length > 0 && <path className="form-service-area" d={areaPath(line, yOf(0))} />}
      {line.length > 0 && <path className="form-service-line" d={linePath(line)} />}
      <path
        className="form-service-bars"
        d={bars
          .map((height, i) =>
            height > 0
              ? `M${(i * wide + 0.5).toFixed(1)} ${yOf(0)}V${yOf(height).toFixed(1)}h${(wide - 1).toFixed(1)}V${yOf(0)}Z`
              : '',
          )
          .join('')}
      />
      <path
        className="form-service-needles"
        d={needles.map(([share, height]) => `M${xOf(share)} ${yOf(0)}V${yOf(height).toFixed(1)}`).join('')}
      />
      <path className="form-service-foot" d={`M0 ${yOf(0)}H${WIDTH}`} />
    </>
  )
}

function Upright({ share, className }: { readonly share: number; readonly className: string }) {
  return share < 0 || share > 1 ? null : <path className={className} d={`M${xOf(share)} ${yOf(0)}V${TOP - 2}`} />
}

function Note({
  share,
  other,
  children,
}: {
  readonly share: number
  readonly other: number
  readonly children: string
}) {
  if (share < 0 || share > 1) return null
  const left = share > 0.88 || (share > 0.12 && other - share > 0.01 && other - share < 0.12)
  return (
    <span className="form-service-note" data-left={left} style={{ left: `${share * 100}%` }}>
      {children}
    </span>
  )
}

function nearest(grips: readonly Grip[], share: number, plane: TimePlane): string {
  const distance = (grip: Grip) => (grip.along === 'time' ? Math.abs(shareOf(plane, grip.at) - share) : Infinity)
  return grips.reduce((best, grip) => (distance(grip) < distance(best) ? grip : best)).key
}
