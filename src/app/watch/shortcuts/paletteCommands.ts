import { t } from '../../../language/translate.ts'
import type { Commands } from '../../session/commands.ts'
import { openDialog } from '../../session/run/showing.ts'

/** Opens the palette of all commands. */
export const paletteCommands: Commands = (session) => [
  {
    name: 'palette',
    key: { key: 'k', ctrl: true },
    inFields: true,
    help: { group: 'editing', keys: t('Ctrl K'), what: t('search all commands and scenarios; in fields too') },
    menu: { section: 'about', label: t('All commands'), about: t('Find any command or scenario by typing (Ctrl+K).') },
    control: 'more',
    act: () => openDialog(session, 'palette'),
  },
]
