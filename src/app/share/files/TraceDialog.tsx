import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { bytes } from '../../../views/drawing/format.ts'
import { readable } from '../../base/browser/files.ts'
import { Button } from '../../base/controls/Button.tsx'
import { traceFileStore } from '../../session/page/showing.ts'
import { JobProgress } from '../../session/study/JobProgress.tsx'
import { useSession } from '../../session/useSession.ts'
import { cancelOpening, readOpenFile, traceFileJob } from './openTrace.ts'

/** Smaller files are open before their size could be read, so they show no dialog. */
const SHOWN_FROM = 2_000_000

export function TraceDialog() {
  const session = useSession()
  const file = useStore(traceFileStore(session), (state) => state.file)
  const job = traceFileJob(session)
  const waiting = useStore(job.store, ({ phase }) => phase === 'idle')
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
          {waiting && t(': this takes a while, and up to {size} of memory.', { size: bytes(2 * file.size) })}
        </p>
        <div className="progress-row">
          {waiting && (
            <>
              <Button className="button run" onClick={() => void readOpenFile(session)} text={t('Open')} />
              <Button className="link" onClick={() => cancelOpening(session)} text={t('Cancel')} />
            </>
          )}
          <JobProgress
            inline
            job={job}
            label={t('Reading {name}.', { name: readable(file.name) })}
            cancel={() => cancelOpening(session)}
          />
        </div>
      </div>
    </dialog>
  )
}
