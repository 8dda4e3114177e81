import { readStored, storageKeys } from '../../app/base/browser/browserStorage.ts'
import type { Feature } from '../../app/session/features/feature.ts'
import type { Session } from '../../app/session/session.ts'
import { t } from '../../language/translate.ts'

/** Returns whether the page is the host of a room: by its address, or by the room that this tab has stored. */
function isHost(session: Session): boolean {
  return session.address.read().hash.includes('host=') || readStored(storageKeys.room, 'sessionStorage') !== null
}

/** The link of a room that is opened in this tab loads the page again: no other code may read it and write it into the history. */
function reloadForRoom(event: HashChangeEvent): void {
  if (!location.hash.includes('host=')) return
  event.stopImmediatePropagation()
  location.reload()
}

export const roomFeature: Feature = {
  key: 'room',
  tabs: [
    {
      place: 'side',
      key: 'room',
      name: () => t('Room'),
      control: 'engine',
      when: ({ hosting }) => hosting,
      load: async () => (await import('./host/RoomPanel.tsx')).RoomPanel,
    },
  ],
  panels: [
    {
      place: 'presented',
      order: 10,
      when: ({ hosting }) => hosting,
      load: async () => (await import('./host/PresentRoom.tsx')).PresentRoom,
    },
  ],
  arrive(session) {
    addEventListener('hashchange', reloadForRoom)
    session.onEnd(() => removeEventListener('hashchange', reloadForRoom))
    return isHost(session) ? import('./host/hostRoom.ts').then(({ openHostRoom }) => openHostRoom(session)) : null
  },
}
