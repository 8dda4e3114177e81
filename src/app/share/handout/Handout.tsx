import { useEffect, useMemo, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { toShortFragment } from '../../../scenario/link/codec.ts'
import { isRealTime } from '../../../scenario/model/engines.ts'
import { MAX_SHORT } from '../../../scenario/model/limits.ts'
import { policies } from '../../../scenario/model/policies.ts'
import { defaultPalette } from '../../../views/drawing/palette.ts'
import { setTheme, themeStore } from '../../base/page/theme.ts'
import { QrCode } from '../../base/ui/QrCode.tsx'
import { FiguresPanel } from '../../explain/figures/FiguresPanel.tsx'
import { useRunFigures } from '../../explain/figures/runFigures.ts'
import { runStore } from '../../session/run/runStore.ts'
import { print } from '../../session/run/showing.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { runPicture } from '../files/exportRun.ts'
import { ownPicture } from './ownPicture.ts'
import './handout.css'

/** The run on a sheet of paper, always dark on light: picture, figures and link. It prints itself and then closes. */
export function Handout() {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  const whole = useStore(scenarioStore(session), (state) => state.whole)
  const branch = useStore(scenarioStore(session), (state) => state.shown)
  const figures = useRunFigures()
  const picture = useRef<HTMLDivElement>(null)
  const link = useMemo(() => {
    const short = toShortFragment(whole, { branch })
    return short.length > MAX_SHORT ? null : location.href.split(/[?#]/)[0] + short
  }, [whole, branch])
  useEffect(() => {
    const { choice } = themeStore.getState()
    setTheme('light')
    return () => setTheme(choice)
  }, [])
  useEffect(() => {
    if (run === null) return print(session, false)
    const svg = ownPicture(runPicture(session, run, { ...defaultPalette('light'), ground: '#ffffff' }))
    svg.setAttribute('role', 'img')
    picture.current?.replaceChildren(svg)
  }, [run, session])
  const ready = run !== null && figures !== null
  useEffect(() => {
    if (!ready) return
    const done = () => print(session, false)
    addEventListener('afterprint', done)
    // The browser first lays the new content out.
    const frame = requestAnimationFrame(() => window.print())
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('afterprint', done)
    }
  }, [ready, session])
  if (run === null) return null
  const { scenario, trace } = run
  return createPortal(
    <article className="handout" aria-label={t('Handout')}>
      <header>
        <h1>{scenario.title || t('Untitled')}</h1>
        <p>
          {t(
            '{policy}, {workers, plural, one {# worker} other {# workers}}, {engine}, seed {seed}, {decisions, plural, one {# decision} other {# decisions}}',
            {
              policy: policies[scenario.policy.kind].name(),
              workers: scenario.workers,
              engine: isRealTime(trace.engine) ? t('on Web Workers') : t('simulated'),
              seed: scenario.seed,
              decisions: trace.decisions.length,
            },
          )}
        </p>
      </header>
      <div className="handout-picture" ref={picture} />
      <FiguresPanel />
      <footer>
        {link !== null && <QrCode link={link} />}
        <div>
          <p>
            {link === null
              ? t('The scenario is too long for a link: it travels as a file.')
              : t('Whoever opens the link sees the same pipeline and the same luck:')}
          </p>
          <p className="handout-link">{link}</p>
        </div>
      </footer>
    </article>,
    document.body,
  )
}
