import { Suspense, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { hide } from '../../../app/base/page/hide.ts'
import { lazyPart } from '../../../app/base/page/lazyPart.tsx'
import { KeyLines } from '../../../app/base/ui/KeyList.tsx'
import { repaint } from '../../../app/session/run/painter.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { setEnlargement } from '../../../views/drawing/canvas.ts'
import { setPublishing } from '../publishing.ts'
import { dragsSideways, keyToRun, keyToShown, listenToSwipes, presenterKeys, shownFirst } from './presentControls.ts'
import './present.css'

const PresentRoom = lazyPart(async () => (await import('../../room/host/PresentRoom.tsx')).PresentRoom)

/** Controls that an audience does not need. */
const taken = ['header', 'editing', 'steps', 'play', 'time', 'speed', 'breaks', 'views', 'branches', 'search', 'minimap', 'keys', 'figures'] as const
/** The page fits a window of this size without being enlarged. It is enlarged at most so much. */
const ROOM = { width: 1150, height: 740 }
const LARGEST = 2.5
const NOTE_MS = 1600
const RESTING_MS = 2500

/** The page for an audience: large, controlled by keys, with a light around the pointer. Escape leaves. */
export function Presenter() {
  const session = useSession()
  const [shown, setShown] = useState(shownFirst)
  const [note, setNote] = useState('')
  const latest = useRef(shown)
  latest.current = shown
  const spot = useRef<HTMLDivElement>(null)
  const title = useStore(scenarioStore(session), ({ scenario }) => scenario.title)
  const hosting = useStore(runStore(session), ({ room }) => room !== null)
  const run = useStore(runStore(session), (state) => state.run)
  const showRoom = () => setShown((now) => ({ ...now, room: true }))
  // The code makes way for each new run.
  useEffect(() => setShown((now) => ({ ...now, room: run === null })), [run])
  useEffect(() => {
    hide('presenter', [...taken, ...(shown.timeline ? [] : (['timeline'] as const)), ...(shown.decision ? [] : (['panels'] as const))])
  }, [shown])
  useEffect(() => {
    const root = document.documentElement
    root.dataset.presenting = ''
    const size = () => {
      const by = Math.min(LARGEST, Math.max(1, Math.min(innerWidth / ROOM.width, innerHeight / ROOM.height)))
      root.style.setProperty('--enlarged', String(by))
      setEnlargement(by)
      repaint(session)
    }
    size()
    let full = false
    // A browser may refuse full screen before the user has acted, as after ?present. The first key tries again.
    const fill = () => {
      if (!full && document.fullscreenElement === null && navigator.userActivation?.isActive !== false)
        void root
          .requestFullscreen?.()
          .then(() => (full = true))
          .catch(() => {})
    }
    fill()
    let timer: ReturnType<typeof setTimeout> | undefined
    const off = new AbortController()
    const { signal } = off
    const heard = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      // The page below gets no keys: nobody edits here.
      event.stopImmediatePropagation()
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
      if (key === 'Escape') {
        event.preventDefault()
        if (latest.current.help) setShown((now) => ({ ...now, help: false }))
        else setPublishing(session, { presenting: false })
        return
      }
      const next = keyToShown(key, latest.current)
      const said = next === null ? keyToRun(session, key) : ''
      if (said === null) return
      event.preventDefault()
      fill()
      if (next !== null) setShown(next)
      clearTimeout(timer)
      setNote(said)
      timer = setTimeout(() => setNote(''), NOTE_MS)
    }
    addEventListener('keydown', heard, { capture: true, signal })
    listenToSwipes(window, dragsSideways, (by) => keyToRun(session, by > 0 ? 'ArrowRight' : 'ArrowLeft'), signal)
    addEventListener('resize', size, { signal })
    // Leaving full screen by the browser's own way leaves the presentation too.
    document.addEventListener('fullscreenchange', () => full && document.fullscreenElement === null && setPublishing(session, { presenting: false }), {
      signal,
    })
    let resting: ReturnType<typeof setTimeout> | undefined
    const lit = ({ clientX, clientY }: PointerEvent) => {
      const light = spot.current
      if (light === null) return
      light.style.setProperty('--x', `${clientX}px`)
      light.style.setProperty('--y', `${clientY}px`)
      light.dataset.lit = 'true'
      clearTimeout(resting)
      resting = setTimeout(() => {
        light.dataset.lit = 'false'
      }, RESTING_MS)
    }
    addEventListener('pointermove', lit, { signal })
    return () => {
      off.abort()
      clearTimeout(timer)
      clearTimeout(resting)
      delete root.dataset.presenting
      root.style.removeProperty('--enlarged')
      setEnlargement(1)
      hide('presenter', [])
      repaint(session)
      if (document.fullscreenElement !== null) void document.exitFullscreen()
    }
  }, [session])
  return (
    <section className="presenter" aria-label={t('Presentation')}>
      <h1>{title || t('Untitled')}</h1>
      <PresentButtons />
      <Button className="presenter-hint" tabIndex={-1} onClick={() => setPublishing(session, { presenting: false })} text={t('? keys · Escape leaves')} />
      <p className="presenter-note" aria-live="polite">
        {note}
      </p>
      {shown.spot && <div ref={spot} className="presenter-spot" />}
      <Suspense>{hosting && <PresentRoom shown={shown.room} show={showRoom} />}</Suspense>
      {shown.help && (
        <section className="presenter-help" aria-label={t('Keys')}>
          <KeyLines lines={presenterKeys().map(([keys, what]) => ({ keys, what }))} />
        </section>
      )}
      {shown.blank && <div className="presenter-blank" />}
    </section>
  )
}

/** What keys do, for fingers: large buttons at the foot, which only a touch screen or a phone shows. */
function PresentButtons() {
  const session = useSession()
  const playing = useStore(runStore(session), (state) => state.playing)
  const empty = useStore(runStore(session), ({ run }) => run === null)
  const step = (label: string, key: string, path: string) => (
    <Button className="icon" aria-label={label} disabled={empty && key !== ' '} onClick={() => void keyToRun(session, key)}>
      <svg viewBox="0 0 16 16" width="22" height="22" aria-hidden="true">
        <path d={path} fill="currentColor" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round" />
      </svg>
    </Button>
  )
  return (
    <div className="presenter-buttons" role="toolbar" aria-label={t('Playback')}>
      {step(t('Previous decision'), 'ArrowLeft', 'M3 2v12M13 2 6 8l7 6z')}
      {step(empty ? t('Run') : playing ? t('Pause') : t('Play'), ' ', playing ? 'M4 2.5h2v11H4zM10 2.5h2v11h-2z' : 'M4 2v12l9-6z')}
      {step(t('Next decision'), 'ArrowRight', 'M13 2v12M3 2l7 6-7 6z')}
      <Button className="button" onClick={() => setPublishing(session, { presenting: false })} text={t('Leave')} />
    </div>
  )
}
