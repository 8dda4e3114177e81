import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { bytes } from '../../../views/drawing/format.ts'
import { readable } from '../../base/browser/readable.ts'
import { useSession } from '../../session/useSession.ts'
import { cancelOpening, readOpenFile, traceFileStore } from './openTrace.ts'
import '../../explain/replay/replay.css'

/** Smaller ones are open before anybody has read how large they are. */
const SHOWN_FROM = 2_000_000

/** A trace file on its way in: its size first, then how far it is. */
export function TraceDialog() {
  const session = useSession()
  const { file, share } = useStore(traceFileStore(session))
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (file !== null) dialog.current?.showModal()
  }, [file])
  if (file === null || file.size < SHOWN_FROM) return null
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="trace-title" onClose={() => cancelOpening(session)}>
      <div className="dialog-body">
        <header>
          <h2 id="trace-title">{t('Opening a trace of {size}', { size: bytes(file.size) })}</h2>
        </header>
        <p>
          <strong>{readable(file.name)}</strong>
          {share === null && <>{t(': reading it takes a while, and up to {size} of memory.', { size: bytes(2 * file.size) })}</>}
        </p>
        {share === null ? (
          <div className="replay-progress">
            <button type="button" className="button run" onClick={() => void readOpenFile(session)}>
              {t('Open')}
            </button>
            <button type="button" className="link" onClick={() => cancelOpening(session)}>
              {t('Cancel')}
            </button>
          </div>
        ) : (
          <div className="replay-progress">
            <progress value={share} max={1} aria-label={t('Reading the trace')} />
            <button type="button" className="link" onClick={() => cancelOpening(session)}>
              {t('Cancel')}
            </button>
          </div>
        )}
      </div>
    </dialog>
  )
}
