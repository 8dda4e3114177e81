import { useEffect, useRef, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { Button } from '../../base/controls/Button.tsx'
import { useLanguage } from '../../base/page/language.ts'
import { part } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { openEditor, type TextEditor } from './editor.ts'
import type { TextState } from './textSync.ts'
import './text.css'

/** A text that had problems when the panel closed. It is shown again when the panel opens. */
const unfinishedText = part((): { text: string | null } => ({ text: null }))

/** The scenario as JSON. An edit of the text changes the canvas, and the other way round. */
export function TextPanel() {
  const session = useSession()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<TextEditor | null>(null)
  const [{ problems, apart }, setStanding] = useState<TextState>({ problems: 0, apart: false })
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor has texts in its language
  useEffect(() => {
    if (host.current === null) return
    const opened = openEditor(session, host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' }), unfinishedText(session).text, setStanding)
    editor.current = opened
    return () => {
      unfinishedText(session).text = opened.close()
      editor.current = null
    }
  }, [language, session])
  const showWords = t('{problems, plural, one {# problem} other {# problems}}: show', { problems })
  return (
    <div className="text-panel">
      <div className="text-tools">
        <Button className="link" title={t('Shift Alt F')} onClick={() => editor.current?.format()} text={t('Format')} />
        <Button className="link" title={t('Ctrl F')} onClick={() => editor.current?.find()} text={t('Find')} />
        {problems > 0 ? (
          <Button className="link warning" title="F8" onClick={() => editor.current?.nextProblem()} text={showWords} />
        ) : (
          <a className="soft" href="scenario.schema.json" target="_blank" rel="noreferrer">
            {t('JSON Schema')}
          </a>
        )}
      </div>
      {apart && (
        <p className="text-apart">
          {t('The drawing was changed meanwhile, and the text says something else.')}
          <Button onClick={() => editor.current?.takeCanvas()} text={t('Take the drawing’s')} />
          <Button onClick={() => editor.current?.keepText()} text={t('Keep the text')} />
        </p>
      )}
      <div className="text-editor" ref={host} />
    </div>
  )
}
