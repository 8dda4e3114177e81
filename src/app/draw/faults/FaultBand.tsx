import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { expectedLength } from '../../../scenario/edit/faults.ts'
import { countJobs } from '../../../scenario/model/limits.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { tickStep } from '../../../views/drawing/format.ts'
import { type FaultBandDrawing as Band, mountFaultBand } from '../../../views/timeline/faultBand.ts'
import type { FaultMark } from '../../../views/timeline/faultMark.ts'
import { fitRange, type TimeRange } from '../../../views/timeline/timelineRange.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { onScene, repaint } from '../../session/run/painter.ts'
import { playback } from '../../session/run/playback.ts'
import { runStore } from '../../session/run/runStore.ts'
import { askFault, shownTimeline, timelineStore } from '../../session/run/timelineStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { part, type Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { FaultForm } from './FaultForm.tsx'
import { FaultMenu } from './FaultMenu.tsx'
import { marksOf } from './faultMarks.ts'
import { type JobClock, jobClockOf } from './jobClock.ts'
import { faultByKey, movedTo, putFaultOrRefuse, takeOut } from './putFault.ts'
import './faults.css'
import { whenOf } from './faultWords.ts'

/** What befalls the run midway: marks on its axis of time. They belong to the scenario, and what is changed shows in the next run. */
export function FaultBand() {
  const session = useSession()
  const host = useRef<HTMLDivElement>(null)
  const band = useRef<Band | null>(null)
  const asked = useStore(timelineStore(session), (state) => state.asked)
  const [open, setOpen] = useState<string | null>(null)
  useEffect(() => {
    if (host.current === null) return
    const mounted = mountFaultBand(host.current, {
      whenAt(key, time) {
        const { draft } = scenarioStore(session).getState()
        const old = faultByKey(draft, key)
        if (old === undefined) return { time, when: '' }
        const moved = movedTo(old, round(session, time), clockNow(session))
        return { time, when: whenOf(moved, moved.kind === 'change' ? clockNow(session).timeOf(moved.stage, moved.from) : moved.at) }
      },
      move(key, time) {
        const old = faultByKey(scenarioStore(session).getState().draft, key)
        if (old !== undefined) refocus(putFaultOrRefuse(session, movedTo(old, round(session, time), clockNow(session)), key) ?? key)
      },
      step(key, hundredths) {
        const { draft } = scenarioStore(session).getState()
        const old = faultByKey(draft, key)
        if (old === undefined) return
        const [from, to] = rangeNow(session)
        const next =
          old.kind === 'change'
            ? { ...old, from: Math.max(0, old.from + hundredths * jobsAStep(draft)) }
            : movedTo(old, old.at + hundredths * tickStep((to - from) / 100), clockNow(session))
        refocus(putFaultOrRefuse(session, next, key, t('sabotage by keys')) ?? key)
      },
      remove(key) {
        takeOut(session, key)
        const rest = host.current?.querySelector<HTMLElement>('[role=slider]') ?? document.querySelector<HTMLElement>('.sabotage > button')
        rest?.focus()
      },
      open: setOpen,
      add: (asked) => askFault(session, asked),
    })
    band.current = mounted
    let before: readonly unknown[] = []
    let marks: readonly FaultMark[] = []
    const draw = () => {
      const { draft } = scenarioStore(session).getState()
      const { run } = runStore(session).getState()
      const clock = clockNow(session)
      if (!clock.whole) repaint(session)
      const now = [draft, run, clock.version, currentPalette(), ...rangeNow(session)]
      if (now.every((each, i) => each === before[i])) return
      // Zooming moves the same marks.
      if (now.slice(0, 3).some((each, i) => each !== before[i])) {
        marks = marksOf(draft, run, clock)
        shownTimeline(session).marks = marks
        // The whole run in small shows them too.
        repaint(session)
      }
      before = now
      mounted.update({ palette: currentPalette(), range: rangeNow(session), marks, axis: run === null })
    }
    shownTimeline(session).below = (range) => {
      own(session).current = range
      draw()
    }
    const refocus = (key: string) => {
      draw()
      mounted.focus(key)
    }
    const sized = new ResizeObserver(() => mounted.resize())
    sized.observe(host.current)
    const ends = [onScene(session, (scene) => scene === null && draw()), scenarioStore(session).subscribe(draw), () => sized.disconnect()]
    repaint(session)
    return () => {
      shownTimeline(session).below = null
      shownTimeline(session).marks = []
      band.current = null
      for (const end of ends) end()
      mounted.destroy()
    }
  }, [session])
  const focus = (key: string | null) => (key === null ? document.querySelector<HTMLElement>('.sabotage > button')?.focus() : band.current?.focus(key))
  return (
    <>
      <div className="sabotage-band" ref={host} />
      {asked !== null && (
        <FaultMenu
          asked={asked}
          time={asked.time ?? timeForNew(session)}
          close={(key) => {
            askFault(session, null)
            focus(key)
          }}
        />
      )}
      {open !== null && (
        <FaultForm
          key={open}
          name={open}
          clock={clockNow(session)}
          at={band.current?.boxOf(open) ?? null}
          close={(key) => {
            setOpen(null)
            if (key !== undefined) focus(key)
          }}
        />
      )}
    </>
  )
}

interface Own {
  /** The stretch that the timeline above shows. */
  current: TimeRange
}

const own = part(
  (): Own => ({
    current: [0, 1],
  }),
)

/** What is across the band: what the timeline shows of a run, or what a run might take. */
function rangeNow(session: Session): TimeRange {
  return runStore(session).getState().run === null ? fitRange(expectedLength(scenarioStore(session).getState().draft)) : own(session).current
}

function clockNow(session: Session): JobClock {
  const { draft } = scenarioStore(session).getState()
  const changing = draft.stages.filter(({ changes }) => changes.length > 0).map(({ id }) => id)
  return jobClockOf(draft, runStore(session).getState().run, changing)
}

/** Where the playhead stands; before any run, in the middle of what is expected. */
function timeForNew(session: Session): Micros {
  return runStore(session).getState().run === null ? round(session, rangeNow(session)[1] / 2) : playback(session).time
}

/** An arrow's step for what depends on a job. */
function jobsAStep({ source }: Scenario): number {
  return Math.max(1, Math.round(countJobs(source) / 100))
}

/** A time that a hand points at, in round numbers. */
function round(session: Session, time: Micros): Micros {
  const [from, to] = rangeNow(session)
  const step = tickStep((to - from) / 500)
  return Math.round(time / step) * step
}
