import { useStore } from 'zustand'
import { t } from '../../language/translate.ts'
import { QrCode } from '../base/ui/QrCode.tsx'
import { useSession } from '../session/useSession.ts'
import { linkForDevices } from './hostRoom.ts'
import { roomStore } from './roomStore.ts'
import { linkWords, presentWords } from './roomWords.ts'
import './room.css'

/** The code of the room, for an audience. */
export function PresentRoom() {
  const session = useSession()
  const { link: state, problem, devices } = useStore(roomStore(session))
  const link = linkForDevices(session)
  const trouble = linkWords(state, problem)
  return (
    <section className="present-room" aria-label={t('Room')}>
      <h2>{t('Scan to become a worker')}</h2>
      {link !== null && (
        <>
          <QrCode link={link} />
          <code>{link}</code>
        </>
      )}
      <p role="status">{trouble ?? (devices.length === 0 ? t('Nobody is here yet.') : presentWords(devices))}</p>
    </section>
  )
}
