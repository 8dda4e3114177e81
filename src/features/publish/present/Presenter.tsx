import { useCallback, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { hide } from '../../../app/base/page/hide.ts'
import { KeyLines } from '../../../app/base/ui/KeyList.tsx'
import { FeaturePanels } from '../../../app/session/features/features.tsx'
import { repaint } from '../../../app/session/page/painter.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t, tStored } from '../../../language/translate.ts'
import { setEnlargement } from '../../../views/drawing/canvas.ts'
import { setPublishing } from '../publishing.ts'
import {
  dragsSideways,
  isKeyOfPage,
  keyToRun,
  keyToShown,
  listenToSwipes,
  presenterKeys,
  shownFirst,
} from './presentControls.ts'
import './present.css'

/** Controls that an audience does not need. */
const hidden = [
  'header',
  'editing',
  'steps',
  'play',
  'speed',
  'breaks',
  'views',
  'branches',
  'search',
  'minimap',
  'keys',
  'figures',
] as const
/** The page fits a window of this size without being enlarged. */
const WINDOW = { width: 850, height: 480 }
const MAX_ENLARGEMENT = 2.5
const NOTE_MS = 1600
/** How long a pointer at rest keeps its light. */
const LIGHT_MS = 2500

/** The page for an audience: large, controlled by keys, with a light around the pointer. Escape leaves. */
export function Presenter() {
  const session = useSession()
  const [shown, setShown] = useState(shownFirst)
  const [note, setNote] = useState('')
  const latest = useRef(shown)
  latest.current = shown
  const spot = useRef<HTMLDivElement>(null)
  const title = useStore(scenarioStore(session), ({ scenario }) => tStored(scenario.title))
  const run = useStore(runStore(session), (state) => state.run)
  const leave = useCallback(() => setPublishing(session, { presenting: false }), [session])
  const showRoom = () => setShown((now) => ({ ...now, room: true }))
  // The code makes way for each new run.
  useEffect(() => setShown((now) => ({ ...now, room: run === null || run.trace.engine === 'simulation' })), [run])
  useEffect(() => {
    hide('presenter', [
      ...hidden,
      ...(shown.timeline ? [] : (['timeline'] as const)),
      ...(shown.decision ? [] : (['panels'] as const)),
    ])
  }, [shown])
  useEffect(() => {
    const root = document.documentElement
    root.dataset.presenting = ''
    const size = () => {
      const by = Math.min(
        MAX_ENLARGEMENT,
        Math.max(1, Math.min(innerWidth / WINDOW.width, innerHeight / WINDOW.height)),
      )
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
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
      if (event.ctrlKey || event.metaKey || event.altKey || isKeyOfPage(key)) return
      // The page below gets no other keys: those that edit.
      event.stopImmediatePropagation()
      if (key === 'Escape') {
        event.preventDefault()
        if (latest.current.help) setShown((now) => ({ ...now, help: false }))
        else leave()
        return
      }
      const next = keyToShown(key, latest.current)
      const text = next === null ? keyToRun(session, key) : ''
      if (text === null) return
      event.preventDefault()
      fill()
      if (next !== null) setShown(next)
      clearTimeout(timer)
      setNote(text)
      timer = setTimeout(() => setNote(''), NOTE_MS)
    }
    addEventListener('keydown', onKey, { capture: true, signal })
    listenToSwipes(window, dragsSideways, (by) => keyToRun(session, by > 0 ? 'ArrowRight' : 'ArrowLeft'), signal)
    addEventListener('resize', size, { signal })
    // Leaving full screen by the browser's own way leaves the presentation too.
    document.addEventListener('fullscreenchange', () => full && document.fullscreenElement === null && leave(), {
      signal,
    })
    let resting: ReturnType<typeof setTimeout> | undefined
    const onPointer = ({ clientX, clientY }: PointerEvent) => {
      const light = spot.current
      if (light === null) return
      light.style.setProperty('--x', `${clientX}px`)
      light.style.setProperty('--y', `${clientY}px`)
      light.dataset.lit = 'true'
      clearTimeout(resting)
      resting = setTimeout(() => {
        light.dataset.lit = 'false'
      }, LIGHT_MS)
    }
    addEventListener('pointermove', onPointer, { signal })
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
  }, [session, leave])
  return (
    <section className="presenter" aria-label={t('Presentation')}>
      <h1>{title || t('Untitled')}</h1>
      <PresentButtons />
      <Button className="presenter-hint" tabIndex={-1} onClick={leave} text={t('? keys · Escape leaves')} />
      <p className="presenter-note" aria-live="polite">
        {note}
      </p>
      {shown.spot && <div ref={spot} className="presenter-spot" />}
      <FeaturePanels place="presented" of={{ shown: shown.room, show: showRoom }} />
      {shown.help && (
        <section className="presenter-help" aria-label={t('Keys')}>
          <KeyLines lines={presenterKeys().map(([keys, what]) => ({ keys, what }))} />
        </section>
      )}
      {shown.blank && <div className="presenter-blank" />}
    </section>
  )
}

/** Large buttons at the bottom for what the keys do; only touch screens and phones show them. */
function PresentButtons() {
  const session = useSession()
  const playing = useStore(runStore(session), (state) => state.playing)
  const empty = useStore(runStore(session), ({ run }) => run === null)
  const step = (label: string, key: string, path: string) => (
    <Button
      className="icon"
      aria-label={label}
      disabled={empty && key !== ' '}
      onClick={() => void keyToRun(session, key)}
    >
      <svg viewBox="0 0 16 16" width="22" height="22" aria-hidden="true">
        <path d={path} fill="currentColor" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round" />
      </svg>
    </Button>
  )
  return (
    <div className="presenter-buttons" role="toolbar" aria-label={t('Playback')}>
      {step(t('Previous decision'), 'ArrowLeft', 'M3 2v12M13 2 6 8l7 6z')}
      {step(
        empty ? t('Run') : playing ? t('Pause') : t('Play'),
        ' ',
        playing ? 'M4 2.5h2v11H4zM10 2.5h2v11h-2z' : 'M4 2v12l9-6z',
      )}
      {step(t('Next decision'), 'ArrowRight', 'M13 2v12M3 2l7 6-7 6z')}
      <Button className="button" onClick={() => setPublishing(session, { presenting: false })} text={t('Leave')} />
    </div>
  )
}
