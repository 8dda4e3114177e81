import type { Commands } from '../../../app/session/commands.ts'
import { openDialog } from '../../../app/session/run/showing.ts'
import { t } from '../../../language/translate.ts'

export const lessonCommands: Commands = (session) => [
  {
    name: 'lessons',
    menu: { section: 'learn', label: t('Lessons'), about: t('Fifteen lessons of a few minutes, which check by themselves what you have done.') },
    control: 'lessons',
    act: () => openDialog(session, 'lessons'),
  },
]
