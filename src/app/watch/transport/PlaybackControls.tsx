import { type ComponentProps, type SVGAttributes, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { clock } from '../../../views/drawing/format.ts'
import { setAttributes, setText } from '../../../views/drawing/svg.ts'
import { TEXT_PACE } from '../../base/browser/frames.ts'
import { Button } from '../../base/controls/Button.tsx'
import { onScene, type Scene } from '../../session/page/painter.ts'
import { seek, stepDecision, stepInstant, togglePlaying } from '../../session/page/playhead.ts'
import { runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'

/** Steps, Play, the scrubber and the time. */
export function PlaybackControls() {
  const session = useSession()
  const { run, playing } = useStore(runStore(session))
  const time = useRef<HTMLSpanElement>(null)
  const slider = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const tell = (scene: Scene | null) => {
      const now = scene?.frame.time ?? 0
      if (time.current !== null)
        setText(time.current, scene === null ? '' : t('{now} of {end}', { now: clock(now), end: clock(scene.end) }))
      if (slider.current === null) return
      setAttributes(slider.current, { max: scene?.end ?? 0, 'aria-valuetext': clock(now) })
      slider.current.value = String(now)
    }
    return onScene(session, tell, TEXT_PACE)
  }, [session])
  const empty = run === null
  return (
    <>
      <fieldset className="transport-buttons" aria-label={t('Playback')}>
        <Step
          label={t('Previous decision')}
          keys=","
          disabled={empty}
          onClick={() => stepDecision(session, -1)}
          path="M3 2v12M13 2 6 8l7 6z"
        />
        <Step
          label={t('Step back')}
          keys="["
          disabled={empty}
          onClick={() => stepInstant(session, -1)}
          path="M11 2 4 8l7 6z"
        />
        <Step
          className="icon play"
          data-control="play"
          label={playing ? t('Pause') : t('Play')}
          title={playing ? `${t('Pause')} (Space)` : `${t('Play')} (Space)`}
          onClick={() => togglePlaying(session)}
          size={16}
          path={playing ? 'M4 2.5h3v11H4zM9 2.5h3v11H9z' : 'M4 2v12l9.5-6z'}
          strokes={{ stroke: 'none' }}
        />
        <Step
          label={t('Step forward')}
          keys="]"
          disabled={empty}
          onClick={() => stepInstant(session, 1)}
          path="M5 2l7 6-7 6z"
        />
        <Step
          label={t('Next decision')}
          keys="."
          disabled={empty}
          onClick={() => stepDecision(session, 1)}
          path="M13 2v12M3 2l7 6-7 6z"
        />
      </fieldset>
      <input
        ref={slider}
        className="scrub"
        data-control="time"
        type="range"
        min={0}
        max={0}
        step={1}
        defaultValue={0}
        disabled={empty}
        aria-label={t('Time')}
        onInput={(event) => seek(session, Number(event.currentTarget.value))}
      />
      <span ref={time} className="time" data-control="time" />
    </>
  )
}

type StepProps = ComponentProps<typeof Button> & {
  label: string
  keys?: string
  path: string
  size?: number
  strokes?: SVGAttributes<SVGPathElement>
}

/** A button of the playback: an icon in a box of 16. */
function Step({ label, keys, path, size = 14, strokes, ...button }: StepProps) {
  return (
    <Button className="icon" data-control="steps" aria-label={label} title={`${label} (${keys})`} {...button}>
      <svg viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
        <path
          d={path}
          fill="currentColor"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinejoin="round"
          {...strokes}
        />
      </svg>
    </Button>
  )
}
