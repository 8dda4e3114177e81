import { useEffect, useMemo, useRef } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { useStore } from 'zustand'
import { setTheme, themeStore } from '../../../app/base/page/theme.ts'
import { QrCode } from '../../../app/base/ui/QrCode.tsx'
import { ResultsPanel } from '../../../app/explain/results/ResultsPanel.tsx'
import { resultsNow, useRunResults } from '../../../app/explain/results/runResults.ts'
import { linkTo } from '../../../app/session/address.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { SessionProvider } from '../../../app/session/scenario/SessionProvider.tsx'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { useSecrets } from '../../../app/session/secrets/secrets.ts'
import type { Session } from '../../../app/session/session.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { runPicture } from '../../../app/share/files/exportRun.ts'
import { t } from '../../../language/translate.ts'
import { toShortFragment } from '../../../scenario/link/codec.ts'
import { engines } from '../../../scenario/model/engines.ts'
import { MAX_SHORT } from '../../../scenario/model/limits.ts'
import { policyName } from '../../../scenario/model/policies.ts'
import { defaultPalette } from '../../../views/drawing/palette.ts'
import { setPublishing } from '../publishing.ts'
import { PipelineDrawing } from './PipelineDrawing.tsx'
import './handout.css'

/** Returns the colours on paper: dark on white. */
const paper = () => ({ ...defaultPalette('light'), ground: '#ffffff', panel: '#ffffff' })

/** Returns the link with an empty query, unless the page has one: browsers make no link in a PDF of one that leads to a place in the page. */
function elsewhere(link: string, page: string): string {
  return page.split('#')[0].endsWith('?') ? link : link.replace('#', '?#')
}

/** The run on a sheet of paper, always dark on light: pipeline, picture, figures and link. It prints itself and then closes, unless the browser is printing (`byBrowser`). */
export function Handout({ byBrowser = false }: { readonly byBrowser?: boolean }) {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  const whole = useStore(scenarioStore(session), (state) => state.whole)
  const branch = useStore(scenarioStore(session), (state) => state.shown)
  const figures = useRunResults()
  const secrets = useSecrets()
  const picture = useRef<HTMLDivElement>(null)
  const link = useMemo(() => {
    const short = toShortFragment(whole, { branch })
    return short.length > MAX_SHORT ? null : linkTo(session.address, short)
  }, [session, whole, branch])
  useEffect(() => {
    const { choice } = themeStore.getState()
    setTheme('light')
    return () => setTheme(choice)
  }, [])
  useEffect(() => {
    if (run === null) return setPublishing(session, { printing: false })
    const svg = ownPicture(runPicture(session, run, paper()))
    svg.setAttribute('role', 'img')
    picture.current?.replaceChildren(svg)
  }, [run, session])
  const ready = run !== null && figures !== null && !byBrowser
  useEffect(() => {
    if (!ready) return
    const done = () => setPublishing(session, { printing: false })
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
              policy: secrets.policy ? t('The policy is hidden') : policyName(scenario.policy),
              workers: scenario.workers,
              engine: engines[trace.engine].where(),
              seed: scenario.seed,
              decisions: trace.decisions.length,
            },
          )}
        </p>
      </header>
      <div className="handout-pipeline">
        <PipelineDrawing scenario={scenario} palette={paper()} secret={secrets.services} />
      </div>
      <div className="handout-picture" ref={picture} />
      <ResultsPanel />
      <footer>
        {link !== null && <QrCode link={link} />}
        <div>
          <p>
            {link === null
              ? t('This scenario is too long for a link. Share it as a file.')
              : t('Anyone with this link gets the same pipeline and random seed:')}
          </p>
          {link !== null && (
            <p className="handout-link">
              <a href={elsewhere(link, session.address.read().href)}>{link}</a>
            </p>
          )}
        </div>
      </footer>
    </article>,
    document.body,
  )
}

/** The part that is needed here of an API that not every browser has. */
interface TrustedTypes {
  createPolicy(name: 'picture', rules: { createHTML(text: string): string }): { createHTML(text: string): string }
}

// Made once, since a policy name can be used once. The drawing escapes every text that a person has written.
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('picture', { createHTML: (text) => text })

/** Returns a picture that the page has drawn itself as an element. Throws a SyntaxError if it is no SVG. */
function ownPicture(svg: string): Element {
  const { documentElement } = new DOMParser().parseFromString(policy?.createHTML(svg) ?? svg, 'image/svg+xml')
  if (documentElement.localName !== 'svg') throw new SyntaxError(documentElement.textContent ?? 'no SVG')
  return document.importNode(documentElement, true)
}

/** Puts the handout of a run into the page at once, with its figures. Returns what removes it. */
export function mountPrinted(session: Session, run: Run): () => void {
  resultsNow(session, run)
  const root = createRoot(document.createElement('div'))
  flushSync(() =>
    root.render(
      <SessionProvider session={session}>
        <Handout byBrowser />
      </SessionProvider>,
    ),
  )
  return () => root.unmount()
}
