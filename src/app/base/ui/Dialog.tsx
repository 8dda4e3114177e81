import { type ReactNode, useContext, useEffect, useId, useRef } from 'react'
import { t } from '../../../language/translate.ts'
import { Button } from '../controls/Button.tsx'
import { DialogOpened } from './dialogOpened.ts'

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly kind?: string
  readonly children: ReactNode
}

/** A dialog over the page: closed by its button, by Escape, by Back, or by a press beside it. */
export function Dialog({ title, onClose, kind, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const opened = useContext(DialogOpened)
  useEffect(() => {
    dialog.current?.showModal()
    return opened(() => dialog.current?.close())
  }, [opened])
  return (
    <dialog
      ref={dialog}
      className={kind === undefined ? 'dialog' : `dialog ${kind}`}
      aria-labelledby={id}
      onClose={onClose}
      onPointerDown={(event) => event.target === dialog.current && dialog.current?.close()}
    >
      <div className="dialog-body">
        <header>
          <h2 id={id}>{title}</h2>
          <Button className="icon" aria-label={t('Close')} onClick={() => dialog.current?.close()} text="×" />
        </header>
        {children}
      </div>
    </dialog>
  )
}
