import { useEffect, useRef, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { useLanguage } from '../../base/page/language.ts'
import { part } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import type { TextState } from './bothWays.ts'
import { openEditor, type TextEditor } from './editor.ts'
import './text.css'

interface Own {
  /** A text that was wrong when the panel closed, so that it is there when it opens again. */
  left: string | null
}

const own = part(
  (): Own => ({
    left: null,
  }),
)

/** The scenario as text: what is typed is drawn, what is drawn is written. */
export function TextPanel() {
  const session = useSession()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<TextEditor | null>(null)
  const [{ problems, apart }, setStanding] = useState<TextState>({ problems: 0, apart: false })
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the editor says it says from the first
  useEffect(() => {
    if (host.current === null) return
    const opened = openEditor(session, host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' }), own(session).left, setStanding)
    editor.current = opened
    return () => {
      own(session).left = opened.close()
      editor.current = null
    }
  }, [language])
  return (
    <div className="text-panel">
      <div className="text-tools">
        <button type="button" className="link" title={t('Shift Alt F')} onClick={() => editor.current?.format()}>
          {t('Format')}
        </button>
        <button type="button" className="link" title={t('Ctrl F')} onClick={() => editor.current?.find()}>
          {t('Find')}
        </button>
        {problems > 0 ? (
          <button type="button" className="link warning" title="F8" onClick={() => editor.current?.nextProblem()}>
            {t('{problems, plural, one {# problem} other {# problems}}: show', { problems })}
          </button>
        ) : (
          <a className="soft" href="scenario.schema.json" target="_blank" rel="noreferrer">
            {t('JSON Schema')}
          </a>
        )}
      </div>
      {apart && (
        <p className="text-apart">
          {t('The drawing was changed meanwhile, and the text says something else.')}
          <button type="button" className="button" onClick={() => editor.current?.takeDrawing()}>
            {t('Take the drawing’s')}
          </button>
          <button type="button" className="button" onClick={() => editor.current?.keepText()}>
            {t('Keep the text')}
          </button>
        </p>
      )}
      <div className="text-editor" ref={host} />
    </div>
  )
}
