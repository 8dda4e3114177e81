import { say } from '../../../language/say.ts'
import type { MenuEntry } from '../../base/ui/Menu.tsx'
import { libraryStore, openLibrary } from './libraryStore.ts'

/** What the menu of scenarios offers of the library. */
export function libraryItems(): MenuEntry[] {
  const kept = libraryStore.getState().keeping !== null
  return [
    { label: say('My scenarios'), about: say('What you keep in this browser, with pictures.'), control: 'library', act: openLibrary },
    {
      label: kept ? say('Keep a copy in my scenarios') : say('Keep in my scenarios'),
      about: say('From then on it is saved there as you edit.'),
      control: 'library',
      act: async () => {
        libraryStore.setState({ wanted: true })
        await (await import('./libraryKeeping.ts')).keepNew()
      },
    },
  ]
}
