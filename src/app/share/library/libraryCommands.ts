import { t } from '../../../language/translate.ts'
import type { Commands } from '../../session/commands.ts'
import { libraryStore, openLibrary } from './libraryStore.ts'

/** Commands of the library. */
export const libraryCommands: Commands = (session) => {
  const kept = libraryStore(session).getState().keeping !== null
  return [
    {
      name: 'library',
      menu: { section: 'scenarios', label: t('My scenarios'), about: t('What you keep in this browser, with pictures.') },
      control: 'library',
      act: () => openLibrary(session),
    },
    {
      name: 'keep',
      menu: {
        section: 'scenarios',
        label: kept ? t('Keep a copy in my scenarios') : t('Keep in my scenarios'),
        about: t('From then on it is saved there as you edit.'),
      },
      control: 'library',
      act: async () => {
        libraryStore(session).setState({ wanted: true })
        await (await import('./libraryKeeping.ts')).saveAsNew(session)
      },
    },
  ]
}
