import { useId, useRef, useState } from 'react'
import { t } from '../../../language/translate.ts'
import { Button } from '../controls/Button.tsx'
import './copyField.css'

interface Props {
  readonly label: string
  readonly text: string
  readonly note?: string
  /** How many lines are visible; with one it is an input field. */
  readonly lines?: number
}

export function CopyField({ label, text, note, lines = 1 }: Props) {
  const [copied, setCopied] = useState<string | null>(null)
  const [refused, setRefused] = useState(false)
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(text)
      setRefused(false)
    } catch {
      // If the clipboard is forbidden, the text is selected for the person to copy.
      field.current?.select()
      setRefused(true)
    }
  }
  const done = copied === text
  const action = done ? t('Copied') : t('Copy')
  const id = useId()
  const common = {
    id,
    ref: field,
    readOnly: true,
    value: text,
    spellCheck: false,
    onFocus: () => field.current?.select(),
  }
  return (
    <div className="link-field">
      <label htmlFor={id}>
        <span>
          {label} {note !== undefined && <span className="soft">{note}</span>}
        </span>
        {lines === 1 ? <input {...common} /> : <textarea {...common} rows={lines} />}
      </label>
      <Button aria-label={`${action}: ${label}`} onClick={copy} text={action} />
      {refused && (
        <p className="soft" role="note">
          {t('The clipboard is blocked. Press {keys}.', { keys: 'Ctrl+C / ⌘C' })}
        </p>
      )}
    </div>
  )
}
