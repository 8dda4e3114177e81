import { t } from '../../../language/translate.ts'
import type { Commands } from '../../session/commands.ts'
import { ask } from './askStore.ts'

export const askCommands: Commands = (session) => [
  {
    name: 'ask',
    menu: { section: 'more', label: t('Ask the allocator'), about: t('Who should work where? Without a run.') },
    act: () => ask(session),
  },
]
