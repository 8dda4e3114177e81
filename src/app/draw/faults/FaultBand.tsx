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
import { askSabotage, shownTimeline, timelineStore } from '../../session/run/timelineStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { FaultForm } from './FaultForm.tsx'
import { FaultMenu } from './FaultMenu.tsx'
import { marksOf } from './faultMarks.ts'
import { type JobClock, jobClockOf } from './jobClock.ts'
import { movedTo, putOrSay, sabotageOf, takeOut } from './putFault.ts'
import './faults.css'
import { whenOf } from './faultWords.ts'

/** What befalls the run midway: marks on its axis of time. They belong to the scenario, and what is changed shows in the next run. */
export function FaultBand() {
  const host = useRef<HTMLDivElement>(null)
  const band = useRef<Band | null>(null)
  const asked = useStore(timelineStore, (state) => state.asked)
  const [open, setOpen] = useState<string | null>(null)
  useEffect(() => {
    if (host.current === null) return
    const mounted = mountFaultBand(host.current, {
      whenAt(key, time) {
        const { drawing } = scenarioStore.getState()
        const old = sabotageOf(drawing, key)
        if (old === undefined) return { time, when: '' }
        const moved = movedTo(old, round(time), clockNow())
        return { time, when: whenOf(moved, moved.kind === 'change' ? clockNow().timeOf(moved.stage, moved.from) : moved.at) }
      },
      move(key, time) {
        const old = sabotageOf(scenarioStore.getState().drawing, key)
        if (old !== undefined) refocus(putOrSay(movedTo(old, round(time), clockNow()), key) ?? key)
      },
      step(key, hundredths) {
        const { drawing } = scenarioStore.getState()
        const old = sabotageOf(drawing, key)
        if (old === undefined) return
        const [from, to] = rangeNow()
        const next =
          old.kind === 'change'
            ? { ...old, from: Math.max(0, old.from + hundredths * jobsAStep(drawing)) }
            : movedTo(old, old.at + hundredths * tickStep((to - from) / 100), clockNow())
        refocus(putOrSay(next, key, t('sabotage by keys')) ?? key)
      },
      remove(key) {
        takeOut(key)
        const rest = host.current?.querySelector<HTMLElement>('[role=slider]') ?? document.querySelector<HTMLElement>('.sabotage > button')
        rest?.focus()
      },
      open: setOpen,
      add: askSabotage,
    })
    band.current = mounted
    let before: readonly unknown[] = []
    let marks: readonly FaultMark[] = []
    const draw = () => {
      const { drawing } = scenarioStore.getState()
      const { run } = runStore.getState()
      const clock = clockNow()
      if (!clock.whole) repaint()
      const now = [drawing, run, clock.version, currentPalette(), ...rangeNow()]
      if (now.every((each, i) => each === before[i])) return
      // Zooming moves the same marks.
      if (now.slice(0, 3).some((each, i) => each !== before[i])) {
        marks = marksOf(drawing, run, clock)
        shownTimeline.marks = marks
        // The whole run in small shows them too.
        repaint()
      }
      before = now
      mounted.update({ palette: currentPalette(), range: rangeNow(), marks, axis: run === null })
    }
    shownTimeline.below = (range) => {
      current = range
      draw()
    }
    const refocus = (key: string) => {
      draw()
      mounted.focus(key)
    }
    const sized = new ResizeObserver(() => mounted.resize())
    sized.observe(host.current)
    const ends = [onScene((scene) => scene === null && draw()), scenarioStore.subscribe(draw), () => sized.disconnect()]
    repaint()
    return () => {
      shownTimeline.below = null
      shownTimeline.marks = []
      band.current = null
      for (const end of ends) end()
      mounted.destroy()
    }
  }, [])
  const focus = (key: string | null) => (key === null ? document.querySelector<HTMLElement>('.sabotage > button')?.focus() : band.current?.focus(key))
  return (
    <>
      <div className="sabotage-band" ref={host} />
      {asked !== null && (
        <FaultMenu
          asked={asked}
          time={asked.time ?? timeForNew()}
          close={(key) => {
            askSabotage(null)
            focus(key)
          }}
        />
      )}
      {open !== null && (
        <FaultForm
          key={open}
          name={open}
          clock={clockNow()}
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

/** The stretch that the timeline above shows. */
let current: TimeRange = [0, 1]

/** What is across the band: what the timeline shows of a run, or what a run might take. */
function rangeNow(): TimeRange {
  return runStore.getState().run === null ? fitRange(expectedLength(scenarioStore.getState().drawing)) : current
}

function clockNow(): JobClock {
  const { drawing } = scenarioStore.getState()
  const changing = drawing.stages.filter(({ changes }) => changes.length > 0).map(({ id }) => id)
  return jobClockOf(drawing, runStore.getState().run, changing)
}

/** Where the playhead stands; before any run, in the middle of what is expected. */
function timeForNew(): Micros {
  return runStore.getState().run === null ? round(rangeNow()[1] / 2) : playback.time
}

/** An arrow's step for what depends on a job. */
function jobsAStep({ source }: Scenario): number {
  return Math.max(1, Math.round(countJobs(source) / 100))
}

/** A time that a hand points at, in round numbers. */
function round(time: Micros): Micros {
  const [from, to] = rangeNow()
  const step = tickStep((to - from) / 500)
  return Math.round(time / step) * step
}
