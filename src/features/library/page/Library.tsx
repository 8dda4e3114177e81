import { Suspense, useEffect } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { lazyPart } from '../../../app/base/page/lazyPart.tsx'
import { saveCanvas } from '../../../app/session/scenario/savedCanvas.ts'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import type { Session } from '../../../app/session/session.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { readEntry } from '../records/entries.ts'
import { type Keeping, libraryStore, openLibrary } from '../records/libraryStore.ts'
import { forgetEntry, keepLibrary, openEntry, retrySave, saveAsNew } from './libraryKeeping.ts'
import './library.css'

const LibraryDialog = lazyPart(async () => (await import('./LibraryDialog.tsx')).LibraryDialog)

/** Beside the title: whether the scenario on the canvas is saved in the library; and the library itself, when it is open. */
export function Library() {
  const session = useSession()
  const { open, keeping } = useStore(libraryStore(session))
  useEffect(() => keepLibrary(session), [session])
  return (
    <>
      {keeping !== null && <Mark keeping={keeping} />}
      {(keeping?.state === 'failed' || keeping?.state === 'elsewhere') && !open && <Notice keeping={keeping} />}
      <Suspense>{open && <LibraryDialog onClose={() => libraryStore(session).setState({ open: false })} />}</Suspense>
    </>
  )
}

function Mark({ keeping }: { readonly keeping: Keeping }) {
  const session = useSession()
  const words = { saved: t('Saved'), saving: t('Saving'), failed: t('Not saved'), elsewhere: t('Not saved') }[
    keeping.state
  ]
  return (
    <Button
      className="kept-mark"
      data-control="library"
      data-state={keeping.state}
      title={t('Kept in this browser, under My scenarios')}
      onClick={() => openLibrary(session)}
      text={words}
    />
  )
}

/** Why the scenario is not saved, and what to do. Nothing on the canvas is lost. */
function Notice({ keeping }: { readonly keeping: Exclude<Keeping, { readonly state: 'saved' | 'saving' }> }) {
  const session = useSession()
  const title = useStore(scenarioStore(session), (state) => state.draft.title) || t('Untitled')
  return (
    <div className="kept-notice" role="alert">
      {keeping.state === 'failed' ? (
        <>
          <p>
            {t('“{title}” is not saved in your library: {reason}. It is on the canvas as before.', {
              title,
              reason: keeping.message,
            })}
          </p>
          <p>
            <Button onClick={() => saveCanvas(session)} text={t('Download it')} />
            <Button onClick={() => void retrySave(session)} text={t('Try again')} />
          </p>
        </>
      ) : (
        <>
          <p>
            {keeping.other === null
              ? t('“{title}” was deleted in another tab. It is on the canvas as before.', { title })
              : t('“{title}” was changed in another tab. What is on the canvas here is not saved over that.', {
                  title,
                })}
          </p>
          <p>
            {keeping.other !== null && (
              <Button
                onClick={() => keeping.other !== null && openOther(session, keeping.other)}
                text={t('Open the other')}
              />
            )}
            <Button
              onClick={() => void saveAsNew(session)}
              text={keeping.other === null ? t('Keep it again') : t('Keep this one as a copy')}
            />
            {keeping.other === null && (
              <Button onClick={() => forgetEntry(session, keeping.id)} text={t('Leave it deleted')} />
            )}
          </p>
        </>
      )}
    </div>
  )
}

function openOther(session: Session, record: unknown): void {
  const entry = readEntry(record)
  if ('drawn' in entry) openEntry(session, entry)
  else openLibrary(session)
}
