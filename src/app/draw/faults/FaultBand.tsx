import { type RefObject, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { expectedLength, type Fault } from '../../../scenario/edit/faults.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { timeStep } from '../../../views/drawing/timeTicks.ts'
import { type FaultBandDrawing, type FaultBandEvents, mountFaultBand } from '../../../views/timeline/faultBand.ts'
import type { FaultMark } from '../../../views/timeline/faultMark.ts'
import { fitRange, type TimeRange } from '../../../views/timeline/timelineRange.ts'
import { endAll } from '../../base/browser/frames.ts'
import { currentPalette } from '../../base/page/theme.ts'
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { onScene, repaint } from '../../session/page/painter.ts'
import { askFault, shownTimeline, timelineStore } from '../../session/page/timelineStore.ts'
import { playback } from '../../session/run/playback.ts'
import { runStore } from '../../session/run/runStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { part, type Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { FaultForm } from './FaultForm.tsx'
import { FaultMenu } from './FaultMenu.tsx'
import { faultTime, faultTimeWords, marksOf } from './faultWords.ts'
import { type JobClock, jobClockOf } from './jobClock.ts'
import { faultByKey, faultMovedTo, putFaultOrShowProblems, removeFault } from './putFault.ts'
import './faults.css'

/** The faults of the scenario as marks on its axis of time. A change shows in the next run. */
export function FaultBand() {
  const session = useSession()
  const band = useRef<DrawnBand | null>(null)
  const asked = useStore(timelineStore(session), (state) => state.asked)
  const [open, setOpen] = useState<string | null>(null)
  const host = useDrawing(
    (element) => mountFaultBand(element, bandActions(session, band, setOpen)),
    (drawing) => followFaults(session, band, drawing),
    [session],
  )
  const focus = (key: string | null) => (key === null ? focusTools() : band.current?.drawing.focus(key))
  return (
    <>
      <div className="fault-band" ref={host} />
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
          at={band.current?.drawing.boxOf(open) ?? null}
          close={(key) => {
            setOpen(null)
            if (key !== undefined) focus(key)
          }}
        />
      )}
    </>
  )
}

type DrawnBand = { readonly drawing: FaultBandDrawing; readonly draw: () => void }

function bandActions(
  session: Session,
  band: RefObject<DrawnBand | null>,
  open: (key: string) => void,
): FaultBandEvents {
  const draftNow = () => scenarioStore(session).getState().draft
  const movedTo = (key: string, time: Micros) => {
    const fault = faultByKey(draftNow(), key)
    return fault && faultMovedTo(fault, round(session, time), clockNow(session))
  }
  const replace = (key: string, fault: Fault, merge?: string) => {
    const newKey = putFaultOrShowProblems(session, fault, key, merge) ?? key
    band.current?.draw()
    band.current?.drawing.focus(newKey)
  }
  return {
    whenAt(key, time) {
      const fault = movedTo(key, time)
      return { time, when: fault ? faultTimeWords(fault, faultTime(fault, clockNow(session))) : '' }
    },
    move(key, time) {
      const fault = movedTo(key, time)
      if (fault !== undefined) replace(key, fault)
    },
    step(key, hundredths) {
      const draft = draftNow()
      const fault = faultByKey(draft, key)
      if (fault === undefined) return
      const [from, to] = rangeNow(session)
      const jobs = Math.max(1, Math.round(countJobs(draft.source) / 100))
      const next =
        fault.kind === 'change'
          ? { ...fault, from: Math.max(0, fault.from + hundredths * jobs) }
          : faultMovedTo(fault, fault.at + hundredths * timeStep((to - from) / 100), clockNow(session))
      replace(key, next, 'faults.step')
    },
    remove(key) {
      removeFault(session, key)
      const rest = document.querySelector<HTMLElement>('.fault-band [role=slider]')
      if (rest === null) focusTools()
      else rest.focus()
    },
    open,
    add: (asked) => askFault(session, asked),
  }
}

const focusTools = () => document.querySelector<HTMLElement>('.tools > button')?.focus()

/** Draws the band whenever the draft, the run, its range or the theme has changed. Returns an unsubscribe function. */
function followFaults(session: Session, band: RefObject<DrawnBand | null>, drawing: FaultBandDrawing): () => void {
  const timeline = shownTimeline(session)
  let shown: readonly unknown[] = []
  let marks: readonly FaultMark[] = []
  const draw = () => {
    const { draft } = scenarioStore(session).getState()
    const { run } = runStore(session).getState()
    const clock = clockNow(session)
    if (!clock.whole) repaint(session)
    const now = [draft, run, clock.version, currentPalette(), ...rangeNow(session)]
    if (now.every((each, i) => each === shown[i])) return
    // A zoom moves the same marks.
    if (now.slice(0, 3).some((each, i) => each !== shown[i])) {
      marks = marksOf(draft, run, clock)
      timeline.marks = marks
    }
    shown = now
    drawing.update({ palette: currentPalette(), range: rangeNow(session), marks, axis: run === null })
  }
  // The overview of the whole run shows the marks too.
  const redraw = () => {
    draw()
    repaint(session)
  }
  band.current = { drawing, draw: redraw }
  timeline.below = (range) => {
    timelineRange(session).now = range
    draw()
  }
  const end = endAll([onScene(session, (scene) => scene === null && draw()), scenarioStore(session).subscribe(redraw)])
  repaint(session)
  return () => {
    timeline.below = null
    timeline.marks = []
    band.current = null
    end()
  }
}

const timelineRange = part((): { now: TimeRange } => ({ now: [0, 1] }))

/** Returns the range of the band: that of the timeline, or before any run the expected length. */
function rangeNow(session: Session): TimeRange {
  return runStore(session).getState().run === null
    ? fitRange(expectedLength(scenarioStore(session).getState().draft))
    : timelineRange(session).now
}

function clockNow(session: Session): JobClock {
  const { draft } = scenarioStore(session).getState()
  const changing = draft.stages.filter(({ changes }) => changes.length > 0).map(({ id }) => id)
  return jobClockOf(draft, runStore(session).getState().run, changing)
}

/** Returns where the playhead stands; before any run, the middle of the expected length. */
function timeForNew(session: Session): Micros {
  return runStore(session).getState().run === null ? round(session, rangeNow(session)[1] / 2) : playback(session).time
}

/** Returns a time rounded to what a person can point at. */
function round(session: Session, time: Micros): Micros {
  const [from, to] = rangeNow(session)
  const step = timeStep((to - from) / 500)
  return Math.round(time / step) * step
}
