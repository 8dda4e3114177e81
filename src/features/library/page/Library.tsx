import { useEffect } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { saveCanvas } from '../../../app/session/scenario/savedCanvas.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { type Keeping, libraryStore, notSaved, openLibrary } from '../records/libraryStore.ts'
import { LibraryDialog } from './LibraryDialog.tsx'
import { keepLibrary, retrySave } from './libraryKeeping.ts'
import './library.css'

/** Beside the title: whether the scenario on the canvas is saved in the library; and the library itself, when it is open. */
export function Library() {
  const session = useSession()
  const { open, keeping } = useStore(libraryStore(session))
  useEffect(() => keepLibrary(session), [session])
  return (
    <>
      {keeping !== null && <Mark keeping={keeping} />}
      {keeping?.state === 'failed' && !open && <Notice words={notSaved(keeping)} />}
      {open && <LibraryDialog onClose={() => libraryStore(session).setState({ open: false })} />}
    </>
  )
}

function Mark({ keeping }: { readonly keeping: Keeping }) {
  const session = useSession()
  const words = { saved: t('Saved'), saving: t('Saving'), failed: t('Not saved') }[keeping.state]
  return (
    <Button
      className="kept-mark"
      data-control="library"
      data-state={keeping.state}
      title={t('Kept in this browser.')}
      onClick={() => openLibrary(session)}
      text={words}
    />
  )
}

/** Why the scenario is not saved, and what to do. */
function Notice({ words }: { readonly words: string }) {
  const session = useSession()
  return (
    <div className="kept-notice" role="alert">
      <p>{words}</p>
      <p>
        <Button onClick={() => saveCanvas(session)} text={t('Download it')} />
        <Button onClick={() => void retrySave(session)} text={t('Try again')} />
      </p>
    </div>
  )
}
