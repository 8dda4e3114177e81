import { Suspense } from 'react'
import { useStore } from 'zustand'
import { lazyPart } from '../../base/page/lazyPart.tsx'
import { openDialog, showingStore } from '../../session/page/showing.ts'
import { useSession } from '../../session/useSession.ts'

const KeysDialog = lazyPart(async () => (await import('./KeysDialog.tsx')).KeysDialog)

export function KeysHelp() {
  const session = useSession()
  const open = useStore(showingStore(session), ({ dialog }) => dialog === 'keys')
  return <Suspense>{open && <KeysDialog onClose={() => openDialog(session, null)} />}</Suspense>
}
