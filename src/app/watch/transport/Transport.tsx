import { useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { numbersOf } from '../../../language/numbers.ts'
import { t } from '../../../language/translate.ts'
import { same } from '../../../scenario/model/compact.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { clock } from '../../../views/drawing/format.ts'
import { Translated } from '../../base/ui/Translated.tsx'
import { forkAtPlayhead } from '../../session/branches/branchCommands.ts'
import { onScene, WORDS_MS } from '../../session/run/painter.ts'
import { speeds } from '../../session/run/playback.ts'
import { followLive, goTo, seek, stepDecision, stepInstant, togglePlaying } from '../../session/run/playhead.ts'
import { chooseSpeed, type Run, runStore } from '../../session/run/runStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { adviceOn } from './advice.ts'
import { BreakWhen } from './BreakWhen.tsx'
import { StoppedLine } from './StoppedLine.tsx'

/** A run is frozen with its scenario. It can be played on, but an edit needs a new run. */
const CHANGED = () => t('The scenario has changed since this run. Press Run to play it as it stands now.')

/** Play, pause, step and scrub, the speed, and the status line. */
export function Transport() {
  const session = useSession()
  const { run, phase, playing, speed, speedChoice, following, status, engine } = useStore(runStore(session))
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const trunk = useStore(scenarioStore(session), (state) => state.shown === null)
  const time = useRef<HTMLSpanElement>(null)
  const slider = useRef<HTMLInputElement>(null)
  useEffect(
    () =>
      onScene(
        session,
        (scene) => {
          const now = scene?.frame.time ?? 0
          if (time.current !== null) time.current.textContent = scene === null ? '' : t('{now} of {end}', { now: clock(now), end: clock(scene.end) })
          if (slider.current === null) return
          slider.current.max = String(scene?.end ?? 0)
          slider.current.value = String(now)
          slider.current.setAttribute('aria-valuetext', clock(now))
        },
        { every: WORDS_MS },
      ),
    [session],
  )
  const empty = run === null
  const stale = useMemo(() => (run === null ? null : otherThan(run, scenario)), [run, scenario])
  const at = useMoment(phase === 'ended' ? run : null)
  const live = phase === 'running' && isRealTime(engine)
  return (
    <div className="transport" data-control="transport">
      <fieldset className="transport-buttons" aria-label={t('Playback')}>
        <Step label={t('Previous decision')} keys="," disabled={empty} act={() => stepDecision(session, -1)} path="M3 2v12M13 2 6 8l7 6z" />
        <Step label={t('Step back')} keys="[" disabled={empty} act={() => stepInstant(session, -1)} path="M11 2 4 8l7 6z" />
        <button
          type="button"
          className="icon play"
          data-control="play"
          aria-label={playing ? t('Pause') : t('Play')}
          title={playing ? t('Pause (Space)') : t('Play (Space)')}
          disabled={empty}
          onClick={() => togglePlaying(session)}
        >
          <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d={playing ? 'M4 2.5h3v11H4zM9 2.5h3v11H9z' : 'M4 2v12l9.5-6z'} fill="currentColor" />
          </svg>
        </button>
        <Step label={t('Step forward')} keys="]" disabled={empty} act={() => stepInstant(session, 1)} path="M5 2l7 6-7 6z" />
        <Step label={t('Next decision')} keys="." disabled={empty} act={() => stepDecision(session, 1)} path="M13 2v12M3 2l7 6-7 6z" />
        <button
          type="button"
          className="icon fork-here"
          data-control="fork editing"
          aria-label={t('Fork here')}
          title={t('Fork here: go on otherwise (K)')}
          disabled={empty}
          onClick={() => forkAtPlayhead(session)}
        >
          <svg viewBox="0 0 16 16" width="15" height="15" aria-hidden="true">
            <path
              d="M1 11h4c4 0 4-7 8-7M5 11h8M11 1.5 14 4l-3 2.5M11 8.500l3 2.500-3 2.500"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.6"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
        </button>
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
      {live && !following ? (
        <button type="button" className="icon wide" onClick={() => followLive(session)}>
          {t('Live')}
        </button>
      ) : (
        <label className="field small" data-control="speed">
          <span>{t('Speed')}</span>
          <select
            aria-label={t('Speed')}
            value={speedChoice}
            disabled={live}
            onChange={(event) => chooseSpeed(session, event.target.value === 'auto' ? 'auto' : Number(event.target.value))}
          >
            <option value="auto">{speedChoice === 'auto' && run !== null ? t('Auto, {speed}', { speed: spelled(speed) }) : t('Auto')}</option>
            {speeds.map((each) => (
              <option key={each} value={each}>
                {spelled(each)}
              </option>
            ))}
          </select>
        </label>
      )}
      <div className="status">
        <p role="status">{status()}</p>
        {stale !== null && trunk ? <p className="stale">{stale}</p> : <p>{adviceOn(scenario, engine, navigator.hardwareConcurrency || 1)}</p>}
        {at !== null && (
          <p>
            <Translated
              text="<go>Go to {time}</go>, the instant this example tells of."
              values={{ time: clock(at) }}
              tags={{
                go: (inside) => (
                  <button type="button" className="link" onClick={() => goTo(session, at)}>
                    {inside}
                  </button>
                ),
              }}
            />
          </p>
        )}
        <StoppedLine />
        <BreakWhen />
      </div>
    </div>
  )
}

/** Returns the instant that a preset tells of, once a simulation of it has ended. */
function useMoment(run: Run | null): Micros | null {
  const [found, setFound] = useState<{ readonly run: Run; readonly at: Micros | null } | null>(null)
  useEffect(() => {
    if (run === null || isRealTime(run.trace.engine)) return
    void import('../../../scenario/presets/presets.ts').then(({ momentOf }) => setFound({ run, at: momentOf(run.scenario) }))
  }, [run])
  return found?.run === run ? found.at : null
}

/** Returns the note for a run that is not of this scenario, or null. After an undo the scenario may be that of the run again. */
function otherThan({ scenario, note }: Run, present: Scenario): string | null {
  if (scenario === present) return null
  return note ?? (same(scenario, present) ? null : CHANGED())
}

const plain = numbersOf({ maximumSignificantDigits: 6 })

function spelled(speed: number): string {
  return speed < 0.01 ? `1/${Math.round(1 / speed)}×` : `${plain(speed)}×`
}

interface StepProps {
  readonly label: string
  readonly keys: string
  readonly disabled: boolean
  act(): void
  readonly path: string
}

function Step({ label, keys, disabled, act, path }: StepProps) {
  return (
    <button type="button" className="icon" data-control="steps" aria-label={label} title={`${label} (${keys})`} disabled={disabled} onClick={act}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={path} fill="currentColor" stroke="currentColor" strokeWidth="1.6" strokeLinejoin="round" />
      </svg>
    </button>
  )
}
