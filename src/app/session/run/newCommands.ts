import { t } from '../../../language/translate.ts'
import type { Commands } from '../commands.ts'
import { emptyScenario } from '../scenario/emptyScenario.ts'
import { openScenario } from './runStore.ts'

export const newCommands: Commands = (session) => [
  {
    name: 'new',
    menu: { section: 'scenarios', label: t('New pipeline'), about: t('One stage, as many workers as this machine has cores.') },
    act: () => openScenario(session, emptyScenario()),
  },
]
