import { type KeyboardEvent, type RefObject, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { frameAt } from '../../../measures/frame/frame.ts'
import type { Drawing } from '../../../views/drawing/drawing.ts'
import { type MinimapData, mountMinimap } from '../../../views/timeline/minimap.ts'
import { mountTimeline, type TimelineEvents } from '../../../views/timeline/timeline.ts'
import { endAll } from '../../base/browser/frames.ts'
import { Button } from '../../base/controls/Button.tsx'
import { useDrawing } from '../../base/ui/useDrawing.ts'
import { goTo, seek, stepInstant } from '../../session/page/playhead.ts'
import { askWorker } from '../../session/page/showing.ts'
import {
  askFault,
  focusOn,
  openTeam,
  selectRange,
  shownTimeline,
  showRange,
  timelineStore,
} from '../../session/page/timelineStore.ts'
import { playback } from '../../session/run/playback.ts'
import { runStore } from '../../session/run/runStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { drawTimeline, hintOnTimeline, noteWithin } from './drawTimeline.ts'
import { FocusCard } from './FocusCard.tsx'
import { RangeCard } from './RangeCard.tsx'

/** The timeline of the run on the page, and the minimap, which takes the place of the scrubber while a part of the run is shown. It is fetched for the first run. */
export function RunTimeline() {
  const session = useSession()
  // The cards over the timeline.
  const cards = useRef<HTMLDivElement>(null)
  const marked = useStore(timelineStore(session), ({ selection }) => selection !== null)
  const followed = useStore(timelineStore(session), ({ focus }) => focus !== null)
  // The minimap is mounted first, so that it is there when the timeline begins to draw both.
  const minimap = useRef<Drawing<MinimapData>>(null)
  const small = useDrawing(
    (host) => mountMinimap(host, { showRange: (range) => showRange(session, range) }),
    (drawing) => {
      minimap.current = drawing
    },
  )
  const host = useDrawing(
    (element) => mountTimeline(element, timelineEvents(session)),
    (timeline, element) => {
      if (minimap.current === null || cards.current === null) return
      return endAll([
        drawTimeline(session, { timeline, minimap: minimap.current, cards: cards.current }),
        hintOnTimeline(session, element, timeline),
      ])
    },
    [session],
  )
  return (
    <>
      <TimelineBar minimap={small} />
      <div className="timeline-frame">
        <div
          className="timeline"
          ref={host}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: zoomed and panned by keys
          tabIndex={0}
          role="application"
          aria-label={t('Timeline. W S zoom, A D move, ← → step, ↑ ↓ choose a worker, Enter asks it.')}
          onKeyDown={(event) => keyOnTimeline(session, event)}
        />
      </div>
      <div className="timeline-cards" ref={cards}>
        {marked && <RangeCard />}
        {followed && <FocusCard />}
      </div>
    </>
  )
}

function timelineEvents(session: Session): TimelineEvents {
  return {
    seek: (time) => seek(session, time),
    press: ({ worker, team, time }) => {
      seek(session, time)
      if (team > 1) openTeam(session, [worker, worker + team])
      else askWorker(session, worker)
    },
    pressNotes(under) {
      const { run } = runStore(session).getState()
      const notes = run === null ? null : timelineStore(session).getState().notesOf(run)
      const time = notes === null ? null : noteWithin(notes, under)
      if (time !== null) seek(session, time)
    },
    showRange: (range) => showRange(session, range),
    select: (selection) => selectRange(session, selection),
    openMenu: (asked) => askFault(session, asked),
  }
}

/** The whole run in small, and the way back from a team. */
function TimelineBar({ minimap }: { readonly minimap: RefObject<HTMLDivElement | null> }) {
  const session = useSession()
  const opened = useStore(timelineStore(session), (state) => state.opened !== null)
  return (
    <div className={opened ? 'timeline-bar opened' : 'timeline-bar'}>
      <div className="minimap" data-control="minimap" ref={minimap} />
      {opened && (
        <Button
          className="button small"
          title={`${t('All workers')} (Escape)`}
          onClick={() => openTeam(session, null)}
          text={t('All workers')}
        />
      )}
    </div>
  )
}

/** Handles the keys that are for the timeline alone, while it has the focus. */
function keyOnTimeline(session: Session, event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const { timeline } = shownTimeline(session)
  const { focus } = timelineStore(session).getState()
  const act = {
    '+': () => timeline?.zoom(0.5),
    '=': () => timeline?.zoom(0.5),
    '-': () => timeline?.zoom(2),
    ArrowLeft: () => (event.shiftKey ? timeline?.pan(-0.25) : stepInstant(session, -1)),
    ArrowRight: () => (event.shiftKey ? timeline?.pan(0.25) : stepInstant(session, 1)),
    ArrowUp: () => stepLane(session, -1),
    ArrowDown: () => stepLane(session, 1),
    Enter: () => focus?.kind === 'worker' && askWorker(session, focus.worker),
    Home: () => goTo(session, 0),
    End: () => goTo(session, Infinity),
  }[event.key]
  if (act === undefined) return
  event.preventDefault()
  act()
}

/** Marks the lane of the next worker, or of the one before, and tells it to screen readers by its card. */
function stepLane(session: Session, by: 1 | -1): void {
  const { run } = runStore(session).getState()
  if (run === null) return
  const all = frameAt(run.trace, playback(session).time).workers.length
  const { focus } = timelineStore(session).getState()
  const worker = focus?.kind === 'worker' ? Math.min(all - 1, Math.max(0, focus.worker + by)) : by > 0 ? 0 : all - 1
  if (worker < 0) return
  focusOn(session, { kind: 'worker', worker })
  shownTimeline(session).timeline?.revealLane(worker)
}
