import { say } from '../language/say.ts'
import { Dialog } from './Dialog.tsx'
import { KeyList } from './KeyList.tsx'

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={say('Keys')} onClose={onClose}>
      <KeyList />
    </Dialog>
  )
}
