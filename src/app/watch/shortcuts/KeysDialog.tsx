import { say } from '../../../language/say.ts'
import { Dialog } from '../../base/ui/Dialog.tsx'
import { KeyList } from '../../base/ui/KeyList.tsx'

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={say('Keys')} onClose={onClose}>
      <KeyList />
    </Dialog>
  )
}
