import { t } from '../../../language/translate.ts'
import type { Commands } from '../../session/commands.ts'
import { openBeat } from './beatStore.ts'

export const gameCommands: Commands = (session) => [
  {
    name: 'game',
    menu: { section: 'scenarios', label: t('Beat the scheduler'), about: t('Give the seats out yourself, decision by decision.') },
    control: 'game',
    act: () => openBeat(session),
  },
]
