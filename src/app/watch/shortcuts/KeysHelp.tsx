import { useStore } from 'zustand'
import { openDialog, showingStore } from '../../session/page/showing.ts'
import { useSession } from '../../session/useSession.ts'
import { KeysDialog } from './KeysDialog.tsx'

export function KeysHelp() {
  const session = useSession()
  const open = useStore(showingStore(session), ({ dialog }) => dialog === 'keys')
  return open && <KeysDialog onClose={() => openDialog(session, null)} />
}
