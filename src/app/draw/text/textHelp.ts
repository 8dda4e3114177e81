import { t } from '../../../language/translate.ts'
import type { Commands } from '../../session/commands.ts'

/** The help for keys of the JSON editor. The editor handles them itself. */
export const textHelp: Commands = () =>
  [
    ['F8', t('in the text: to the next problem')],
    [t('Ctrl Space'), t('in the text: what may stand here; with F instead of Space: find')],
    [t('Shift Alt F'), t('in the text: format it')],
  ].map(([keys, what]) => ({ name: `text ${keys}`, help: { group: 'editing' as const, keys, what } }))
