import { t } from '../../../language/translate.ts'
import { Dialog } from '../../base/ui/Dialog.tsx'
import { KeyList } from '../../base/ui/KeyList.tsx'
import { commandsOf } from '../../session/commands.ts'
import { useSession } from '../../session/useSession.ts'

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const session = useSession()
  return (
    <Dialog title={t('Keys')} onClose={onClose}>
      <KeyList commands={commandsOf(session)} />
    </Dialog>
  )
}
