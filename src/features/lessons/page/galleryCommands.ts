import type { Commands } from '../../../app/session/commands.ts'
import { openDialog } from '../../../app/session/run/showing.ts'
import { t } from '../../../language/translate.ts'

export const galleryCommands: Commands = (session) => [
  {
    name: 'gallery',
    menu: { section: 'learn', label: t('Gallery'), about: t('All built-in scenarios with pictures of their runs, in three series from simple to hard.') },
    control: 'gallery',
    act: () => openDialog(session, 'gallery'),
  },
]
