import { useEffect, useMemo, useRef } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { useStore } from 'zustand'
import { setTheme, themeStore } from '../../../app/base/page/theme.ts'
import { QrCode } from '../../../app/base/ui/QrCode.tsx'
import type { Box, CaptionSide } from '../../../app/draw/layout/places.ts'
import { sourceCaption } from '../../../app/draw/shapes/sourceShapes.ts'
import { ResultsPanel } from '../../../app/explain/results/ResultsPanel.tsx'
import { resultsNow, useRunResults } from '../../../app/explain/results/runResults.ts'
import { linkTo } from '../../../app/session/address.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { SessionProvider } from '../../../app/session/scenario/SessionProvider.tsx'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import type { Session } from '../../../app/session/session.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { runPicture, widthsIn } from '../../../app/share/files/exportRun.ts'
import { t, tStored } from '../../../language/translate.ts'
import { toShortFragment } from '../../../scenario/link/codec.ts'
import { serviceMean } from '../../../scenario/model/distributions.ts'
import { engines } from '../../../scenario/model/engines.ts'
import { MAX_SHORT } from '../../../scenario/model/limits.ts'
import { policyName } from '../../../scenario/model/policies.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { duration } from '../../../views/drawing/format.ts'
import { cutText } from '../../../views/drawing/paintedText.ts'
import { defaultPalette, type Palette, stageColour } from '../../../views/drawing/palette.ts'
import { sketchOf } from '../../library/page/sketch.ts'
import { setPublishing } from '../publishing.ts'
import './handout.css'

/** Returns the colours on paper: dark on white. */
const paper = () => ({ ...defaultPalette('light'), ground: '#ffffff', panel: '#ffffff' })

/** Returns the link with an empty query, unless the page has one: in a PDF, browsers drop links to a place in the same page. */
const linkForPdf = (link: string, page: string): string =>
  page.split('#')[0].endsWith('?') ? link : link.replace('#', '?#')

/** The run on a sheet of paper, always dark on light: pipeline, picture, figures and link. It prints itself and then closes, unless the browser is printing (`byBrowser`). */
export function Handout({ byBrowser = false }: { readonly byBrowser?: boolean }) {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  const whole = useStore(scenarioStore(session), (state) => state.whole)
  const branch = useStore(scenarioStore(session), (state) => state.shown)
  const figures = useRunResults()
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
        <div>
          <h1>{tStored(scenario.title) || t('Untitled')}</h1>
          <p>
            {t(
              '{policy}, {workers, plural, one {# worker} other {# workers}}, {engine}, seed {seed}, {decisions, plural, one {# decision} other {# decisions}}',
              {
                policy: policyName(scenario.policy),
                workers: scenario.workers,
                engine: engines[trace.engine].where(),
                seed: scenario.seed,
                decisions: trace.decisions.length,
              },
            )}
          </p>
          <p>
            {link === null
              ? t('Too long for a link. Save it as a file.')
              : t('Anyone with this link gets the same pipeline and random seed.')}
          </p>
          {link !== null && (
            <p className="handout-link">
              <a href={linkForPdf(link, session.address.read().href)}>{printedLink(link)}</a>
            </p>
          )}
        </div>
        {link !== null && <QrCode link={link} />}
      </header>
      <div className="handout-pipeline">
        <PipelineDrawing scenario={scenario} palette={paper()} />
      </div>
      <div className="handout-picture" ref={picture} />
      <ResultsPanel printed />
    </article>,
    document.body,
  )
}

/** Nobody types a longer link. In a PDF it can still be pressed. */
const MAX_PRINTED = 600
const printedLink = (link: string) => (link.length > MAX_PRINTED ? `${link.slice(0, MAX_PRINTED)}…` : link)

/** The used part of an API that not every browser has. */
interface TrustedTypes {
  createPolicy(name: 'picture', rules: { createHTML(text: string): string }): { createHTML(text: string): string }
}

// Made once, since the name can be used only once. The drawing escapes all texts of the user.
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('picture', {
  createHTML: (text) => text,
})

/** Returns a picture of the page's own as an element. Throws SyntaxError if it is not SVG. */
function ownPicture(svg: string): Element {
  const { documentElement } = new DOMParser().parseFromString(policy?.createHTML(svg) ?? svg, 'image/svg+xml')
  if (documentElement.localName !== 'svg') throw new SyntaxError(documentElement.textContent ?? 'no SVG')
  return document.importNode(documentElement, true)
}

/** Puts the handout of a run into the page at once, with its figures. Returns a function that removes it. */
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

/** The space for the layout, in pixels of the canvas: the sheet is wide, and the picture of the run needs most of its height. */
const SPACE = { width: 1300, height: 460 }
const MARGIN = 6
/** Keeps the letters of a short pipeline as small as those of a long one. */
const MIN_WIDTH = 1000
const PAD = 14
const NAME = { size: 20, weight: 600 }
/** The gap between a circle and its caption. */
const GAP = 10

/** The pipeline as it is on the canvas, without a run: stages with their mean service times, links, source and sink. */
function PipelineDrawing({ scenario, palette }: { readonly scenario: Scenario; readonly palette: Palette }) {
  const { bounds, captions, links, ends, stages } = sketchOf(scenario, SPACE, true)
  const width = Math.max(MIN_WIDTH, bounds.width + 2 * MARGIN)
  const view = [bounds.x - (width - bounds.width) / 2, bounds.y - MARGIN, width, bounds.height + 2 * MARGIN].map(
    Math.round,
  )
  const [source, sink] = ends
  const widthOf = widthsIn(palette.font)
  /** Source or sink: a circle, and its caption on the side that the layout leaves free. */
  const end = ({ x, y, width, height }: Box, side: CaptionSide, caption: string, fill: string) => {
    const [cx, cy] = [x + width / 2, y + height / 2]
    const at =
      side === 'below'
        ? { x: cx, y: y + height + GAP + 10 }
        : { x: side === 'right' ? x + width + GAP : x - GAP, y: cy + 5 }
    return (
      <>
        <circle cx={cx} cy={cy} r={width / 2 - 1} fill={fill} stroke={palette.ink} strokeWidth="2" />
        {caption !== '' && (
          <text {...at} fill={palette.soft} textAnchor={anchors[side]}>
            {caption}
          </text>
        )}
      </>
    )
  }
  return (
    <svg viewBox={view.join(' ')} role="img" aria-label={t('Pipeline')} fontSize="14" overflow="visible">
      {links.map((way) => (
        <path
          key={way}
          d={way}
          fill="none"
          stroke={palette.soft}
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ))}
      {stages.map(({ stage, ...box }) => {
        const { id, name, service } = scenario.stages[stage]
        const colour = stageColour(palette, stage)
        return (
          <g key={id}>
            <rect {...box} rx="14" fill={palette.panel} stroke={colour.fill} strokeWidth="2.5" />
            <text
              x={box.x + PAD}
              y={box.y + box.height / 2 - 6}
              fontSize={NAME.size}
              fontWeight={NAME.weight}
              fill={colour.text}
            >
              {cutText(name, box.width - 2 * PAD, (part) => widthOf(part, NAME.size, NAME.weight))}
            </text>
            <text x={box.x + PAD} y={box.y + box.height / 2 + 22} fontSize="16" fill={palette.soft}>
              {duration(serviceMean(service))}
            </text>
          </g>
        )
      })}
      {end(source, captions.source, sourceCaption(scenario.source), palette.panel)}
      {end(sink, captions.sink, scenario.order.kind === 'none' ? '' : t('ordered'), palette.ink)}
    </svg>
  )
}

const anchors = { below: 'middle', left: 'end', right: 'start' } as const
