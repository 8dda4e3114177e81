import { createElement, type ReactNode, useRef } from 'react'
import { useStore } from 'zustand'
import { download, fileName } from '../../../app/base/browser/files.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { writeDuration } from '../../../app/base/forms/typedText.ts'
import { languageStore } from '../../../app/base/page/language.ts'
import { themeStore } from '../../../app/base/page/theme.ts'
import { useSettled } from '../../../app/base/page/useLater.ts'
import { PanelFrame } from '../../../app/base/ui/PanelFrame.tsx'
import { playback } from '../../../app/session/run/playback.ts'
import { runStore } from '../../../app/session/run/runStore.ts'
import { editOrShowProblems, scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { setOptions } from '../../../scenario/edit/edits.ts'
import { MAX_ESSAY } from '../../../scenario/model/limits.ts'
import { setPublishing } from '../publishing.ts'
import { essayPage, momentFigure, type PageNode, readMarkdown } from './essayPage.ts'
import { linkOf, momentAt } from './moments.ts'
import './essay.css'

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
  const write = (text: string) => editOrShowProblems(session, (scenario) => setOptions(scenario, { essay: text }), 'essay')
  const pin = () => {
    const area = field.current
    if (area === null) return
    const line = `@ ${writeDuration(Math.round(playback(session).time))}`
    const [before, after] = [essay.slice(0, area.selectionEnd).trimEnd(), essay.slice(area.selectionEnd).trimStart()]
    if (write([before, line, after].filter((part) => part !== '').join('\n\n'))) area.focus()
  }
  const save = () => {
    const step = scenarioStore(session).getState()
    const title = step.whole.title
    const text = readMarkdown(essay, (time) => momentFigure(momentAt(session, run, time, step)))
    const page = essayPage({ language: languageStore.getState().language, title: title || t('Untitled'), link: linkOf(session, step), text })
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
            : t('A line such as @ 1.25 s pins that moment: the page shows its picture, its decision and, when online, a live frame.')}
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
