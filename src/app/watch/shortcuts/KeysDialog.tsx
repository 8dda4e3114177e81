import { t } from '../../../language/translate.ts'
import { Dialog } from '../../base/ui/Dialog.tsx'
import { KeyList } from '../../base/ui/KeyList.tsx'

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={t('Keys')} onClose={onClose}>
      <KeyList />
    </Dialog>
  )
}
