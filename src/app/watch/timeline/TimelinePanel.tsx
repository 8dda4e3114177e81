import { type KeyboardEvent, type RefObject, Suspense, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { onScene } from '../../session/run/painter.ts'
import { goTo, stepInstant } from '../../session/run/playhead.ts'
import { runStore } from '../../session/run/runStore.ts'
import { openDialog } from '../../session/run/showing.ts'
import { askFault, shownTimeline, timelineStore } from '../../session/run/timelineStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { drawTimeline } from './drawTimeline.ts'
import './timeline.css'

// The first screen does without these: they are fetched when they are wanted.
const FocusCard = lazyPart(async () => (await import('./FocusCard.tsx')).FocusCard)
const FaultBand = lazyPart(async () => (await import('../../draw/faults/FaultBand.tsx')).FaultBand)
const RangeCard = lazyPart(async () => (await import('./RangeCard.tsx')).RangeCard)
const TimelineSearch = lazyPart(async () => (await import('./TimelineSearch.tsx')).TimelineSearch)

/** Queues, seats and workers over time, with the playhead; above it the search and the minimap, below it the faults. */
export function TimelinePanel() {
  const session = useSession()
  const host = useRef<HTMLDivElement>(null)
  const small = useRef<HTMLDivElement>(null)
  const cards = useRef<HTMLDivElement>(null)
  const marked = useStore(timelineStore(session), ({ selection }) => selection !== null)
  const followed = useStore(timelineStore(session), ({ focus }) => focus !== null)
  const empty = useStore(runStore(session), ({ run }) => run === null)
  useEffect(() => {
    // Without a run nothing is drawn.
    if (empty || host.current === null || small.current === null || cards.current === null) return
    return drawTimeline(session, { timeline: host.current, minimap: small.current, cards: cards.current })
  }, [empty, session])
  return (
    <div className="timeline-desk" data-control="timeline">
      <TimelineBar minimap={small} />
      <div className="timeline-frame">
        <div
          className="timeline"
          ref={host}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: zoomed and panned by keys
          tabIndex={0}
          role="application"
          aria-label={t('Timeline. W and S zoom, A and D move, arrows step, F fits.')}
          onKeyDown={empty ? undefined : (event) => keyOnTimeline(session, event)}
        />
        <EmptyTimeline />
      </div>
      <div className="timeline-cards" ref={cards}>
        <Suspense>{marked && <RangeCard />}</Suspense>
        <Suspense>{followed && <FocusCard />}</Suspense>
      </div>
      <FaultBar />
    </div>
  )
}

/** The faults of the scenario below the axis, and the button that adds one. */
function FaultBar() {
  const session = useSession()
  const any = useStore(
    scenarioStore(session),
    ({ draft: { workerEvents, later, stages } }) => workerEvents.length + later.length > 0 || stages.some(({ changes }) => changes.length > 0),
  )
  const asked = useStore(timelineStore(session), (state) => state.asked !== null)
  return (
    <div className="sabotage" data-control="sabotage editing">
      <button
        type="button"
        className="button small"
        aria-haspopup="menu"
        title={t('Slow a stage from a job on, or let a worker join, leave, crash or hang')}
        onClick={({ currentTarget }) => {
          const { left, top } = currentTarget.getBoundingClientRect()
          askFault(session, { time: null, x: left, y: top })
        }}
      >
        {t('Sabotage')}
      </button>
      <Suspense>{(any || asked) && <FaultBand />}</Suspense>
    </div>
  )
}

/** The search, the minimap and the button of the list of keys. */
function TimelineBar({ minimap }: { readonly minimap: RefObject<HTMLDivElement | null> }) {
  const session = useSession()
  const empty = useStore(runStore(session), (state) => state.run === null)
  return (
    <div className="timeline-bar" hidden={empty}>
      <Suspense fallback={<i />}>{empty ? <i /> : <TimelineSearch />}</Suspense>
      <div className="minimap" data-control="minimap" ref={minimap} />
      <button type="button" className="icon" data-control="keys" aria-label={t('Keys')} title={t('Keys (?)')} onClick={() => openDialog(session, 'keys')}>
        ?
      </button>
    </div>
  )
}

/** Handles the keys that are for the timeline alone, while it has the focus. */
function keyOnTimeline(session: Session, event: KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const { timeline } = shownTimeline(session)
  const act = {
    '+': () => timeline?.zoom(0.5),
    '=': () => timeline?.zoom(0.5),
    '-': () => timeline?.zoom(2),
    ArrowLeft: () => (event.shiftKey ? timeline?.pan(-0.25) : stepInstant(session, -1)),
    ArrowRight: () => (event.shiftKey ? timeline?.pan(0.25) : stepInstant(session, 1)),
    Home: () => goTo(session, 0),
    End: () => goTo(session, Infinity),
  }[event.key]
  if (act === undefined) return
  event.preventDefault()
  act()
}

/** The text that is there before the first run. */
function EmptyTimeline() {
  const session = useSession()
  const note = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      onScene(session, (scene) => {
        if (note.current !== null) note.current.hidden = scene !== null
      }),
    [session],
  )
  return (
    <div className="empty" ref={note}>
      <p>{t('A pipeline with more work waiting than workers: who should work where, now?')}</p>
      <p>{t('Press Run and watch a scheduler move the workers. Its record appears here: point at any instant, and read why each went where it went.')}</p>
    </div>
  )
}
