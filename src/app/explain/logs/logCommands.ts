import { t } from '../../../language/translate.ts'
import type { Commands } from '../../session/commands.ts'
import { openLogs } from './logStore.ts'

export const logCommands: Commands = (session) => [
  {
    name: 'openLog',
    menu: { section: 'files', label: t('Open a log'), about: t('How your own system was doing: what would the allocator have said?') },
    act: () => openLogs(session),
  },
]
