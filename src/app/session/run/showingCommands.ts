import { t } from '../../../language/translate.ts'
import type { Commands } from '../commands.ts'
import { openDialog } from './showing.ts'

/** Opens the dialog about the page. */
export const aboutCommands: Commands = (session) => [
  {
    name: 'about',
    menu: { section: 'about', label: t('About and keys'), about: t('What this is, how to steer it, whose ideas it stands on.') },
    act: () => openDialog(session, 'about'),
  },
]

/** Opens the list of keys. */
export const helpCommands: Commands = (session) => [
  { name: 'keys', title: t('Keys'), key: { key: '?' }, help: { group: 'editing', keys: '?', what: t('this list') }, act: () => openDialog(session, 'keys') },
]
