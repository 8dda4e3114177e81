import { createElement, type ReactNode, useRef } from 'react'
import { useStore } from 'zustand'
import { download, fileName } from '../../../app/base/browser/files.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { writeDuration } from '../../../app/base/forms/typedText.ts'
import { languageStore } from '../../../app/base/page/language.ts'
import { currentPalette, themeStore } from '../../../app/base/page/theme.ts'
import { useSettled } from '../../../app/base/page/useLater.ts'
import { PanelFrame } from '../../../app/base/ui/PanelFrame.tsx'
import { playback } from '../../../app/session/run/playback.ts'
import { type Run, runStore } from '../../../app/session/run/runStore.ts'
import { type CanvasStep, editOrShowProblems, scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { estimateHistoryOf } from '../../../measures/decisions/estimateHistory.ts'
import { setOptions } from '../../../scenario/edit/edits.ts'
import { MAX_ESSAY, MAX_SHORT } from '../../../scenario/model/limits.ts'
import { setPublishing } from '../publishing.ts'
import { essayPage, type Moment, momentFigure, type PageNode, readMarkdown } from './essayPage.ts'
import './essay.css'
import { linkTo } from '../../../app/session/address.ts'
import { secretsOf } from '../../../app/session/secrets/secrets.ts'
import type { Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import { decisionAt } from '../../../measures/decisions/decision.ts'
import { sentenceOf } from '../../../measures/decisions/decisionWords.ts'
import { sentenceText } from '../../../measures/decisions/speech.ts'
import { toShortFragment } from '../../../scenario/link/codec.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { decisionIndexAt, decisionTime } from '../../../trace/follow.ts'
import { endOf } from '../../../trace/trace.ts'
import { clock, count, duration } from '../../../views/drawing/format.ts'
import type { Palette } from '../../../views/drawing/palette.ts'
import { filmOf } from '../film/film.ts'

/** How long the preview waits for another key. */
const SETTLE_MS = 300

/** The essay beside the pipeline: a text that pins moments of the run, its preview, and the page it makes. */
export function EssayPanel() {
  const session = useSession()
  const field = useRef<HTMLTextAreaElement>(null)
  const essay = useStore(scenarioStore(session), ({ draft }) => draft.essay)
  // During a run, each new row would draw all pictures again.
  const run = useStore(runStore(session), (state) => (state.phase === 'ended' ? state.run : null))
  useStore(themeStore)
  const settled = useSettled(essay, SETTLE_MS)
  const write = (text: string) =>
    editOrShowProblems(session, (scenario) => setOptions(scenario, { essay: text }), 'essay')
  const pin = () => {
    const area = field.current
    if (area === null) return
    const line = `@ ${writeDuration(Math.round(playback(session).time))}`
    const [before, after] = [essay.slice(0, area.selectionEnd).trimEnd(), essay.slice(area.selectionEnd).trimStart()]
    if (write([before, line, after].filter((part) => part !== '').join('\n\n'))) area.focus()
  }
  const save = () => {
    const step = scenarioStore(session).getState()
    const { title } = step.whole
    const text = readMarkdown(essay, (time) => momentFigure(momentAt(session, run, time, step)))
    const short = fragmentOf(step)
    const link = short && linkTo(session.address, short)
    const page = essayPage({ language: languageStore.getState().language, title: title || t('Untitled'), link, text })
    void download(fileName(title, '.html'), [page], 'text/html')
  }
  return (
    <PanelFrame
      className="lesson essay"
      control="more"
      label={t('Essay')}
      count={t('Export')}
      title={t('As a page')}
      text={t('The text of the essay')}
      leave={t('Close the essay')}
      leaves={t('Close the essay. The text stays with the scenario.')}
      onLeave={() => setPublishing(session, { writing: false })}
    >
      <div className="lesson-body">
        <label className="essay-text">
          <span>{t('Your text, in Markdown')}</span>
          <textarea
            ref={field}
            rows={10}
            maxLength={MAX_ESSAY}
            value={essay}
            placeholder={t('# What happened')}
            onChange={(event) => write(event.target.value)}
          />
        </label>
        <div className="essay-actions">
          <Button disabled={run === null} onClick={pin} text={t('Pin this moment')} />
          <Button disabled={run === null || essay.trim() === ''} onClick={save} text={t('Save the page')} />
        </div>
        <p className="soft note">
          {run === null
            ? t('Press Run first: a page shows the run.')
            : t(
                'A line such as @ 1.25 s pins that moment: the page shows its picture, its decision and, when online, a live frame.',
              )}
        </p>
        <section className="essay-preview" aria-label={t('Preview')}>
          {readMarkdown(settled, (time) => momentFigure(momentAt(session, run, time, null))).map(shown)}
        </section>
      </div>
    </PanelFrame>
  )
}

/** Returns a node of the page for React, which escapes every text. */
function shown(node: PageNode, key: number): ReactNode {
  if (typeof node === 'string') return node
  const { tag, attributes, children } = node
  const target = tag === 'a' ? { target: '_blank' } : {}
  return createElement(tag, { key, ...attributes, ...target }, ...(children.length === 0 ? [] : [children.map(shown)]))
}

/** The drawn pictures by time: the preview needs them after every key. */
const drawn = new WeakMap<
  Run,
  { readonly palette: Palette; readonly rows: number; readonly pictures: Map<Micros, string> }
>()

/** Returns the picture and text of a pin. Its live frame opens `step`; null: without a frame. */
function momentAt(session: Session, run: Run | null, at: Micros, step: CanvasStep | null): Moment {
  if (run === null)
    return {
      heading: t('At {time}.', { time: clock(at) }),
      decision: t('Its picture appears here when a run has ended.'),
      picture: null,
      frame: null,
    }
  const time = Math.min(at, endOf(run.trace))
  return {
    heading: t('At {time}.', { time: clock(time) }),
    decision: secretsOf(session).all.length === 0 ? decisionWords(run, time) : '',
    picture: pictureAt(run, time),
    frame: step === null ? null : frameOf(session, step, time),
  }
}

function frameOf(session: Session, step: CanvasStep, at: Micros): string | null {
  const short = fragmentOf(step, at)
  return short === null
    ? null
    : `${linkTo(session.address, '')}?embed&lang=${languageStore.getState().language}${short}`
}

/** Returns what a link to the canvas has after the address, without the essay; null if it is too long. */
function fragmentOf({ whole, shown }: CanvasStep, at: Micros | null = null): string | null {
  const short = toShortFragment({ ...whole, essay: '' }, { branch: shown, at })
  return short.length > MAX_SHORT ? null : short
}

function pictureAt(run: Run, time: Micros): string {
  const palette = currentPalette()
  const before = drawn.get(run)
  const kept =
    before?.palette === palette && before.rows === run.trace.length
      ? before
      : { palette, rows: run.trace.length, pictures: new Map<Micros, string>() }
  drawn.set(run, kept)
  const known = kept.pictures.get(time)
  if (known !== undefined) return known
  const canvas = document.createElement('canvas')
  canvas.width = 1280
  canvas.height = 720
  filmOf(canvas, run, [0, endOf(run.trace)])(time)
  const picture = canvas.toDataURL('image/png')
  kept.pictures.set(time, picture)
  return picture
}

/** Returns the latest decision at an instant in words; empty before the first. The picture may be of a later instant: then it says how much. */
export function decisionWords({ trace, scenario }: Pick<Run, 'trace' | 'scenario'>, time: Micros): string {
  const d = decisionIndexAt(trace, time)
  if (d < 0) return ''
  const values = {
    n: count(d + 1),
    sentence: sentenceText(sentenceOf(scenario, decisionAt(trace, estimateHistoryOf(trace), d))),
  }
  const ago = time - decisionTime(trace, d)
  return ago > 0
    ? t('Decision {n}, {ago} before: {sentence}', { ...values, ago: duration(ago) })
    : t('Decision {n}: {sentence}', values)
}
