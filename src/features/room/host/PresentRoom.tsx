import './room.css'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { QrCode } from '../../../app/base/ui/QrCode.tsx'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { RoomRound } from '../protocol/rounds.ts'
import { roundStore } from './hostQuestion.ts'
import { linkForDevices, roomStore } from './hostRoom.ts'
import { QuestionState } from './QuestionState.tsx'
import { emptyRoomWords, linkWords, presentWords } from './roomWords.ts'

/** The code of the room and its question, for an audience. `show` is called when a question is asked or its answer is known. */
export function PresentRoom({ shown, show }: { readonly shown: boolean; show(): void }) {
  const session = useSession()
  const { round } = useStore(roundStore(session))
  const news = round === null ? '' : `${round.round} ${round.right !== null}`
  const seen = useRef(news)
  useEffect(() => {
    if (news !== seen.current) show()
    seen.current = news
  })
  return shown ? <Shown round={round} /> : null
}

function Shown({ round }: { readonly round: RoomRound | null }) {
  const session = useSession()
  const { link: state, problem, devices } = useStore(roomStore(session))
  const link = linkForDevices(session)
  const trouble = linkWords(state, problem)
  if (round !== null && !round.open)
    return (
      <section className="present-room" aria-label={t('Room')}>
        <QuestionState round={round} />
      </section>
    )
  return (
    <section className="present-room" data-asked={round !== null} aria-label={t('Room')}>
      <div className="present-join">
        <h2>{t('Scan to become a worker')}</h2>
        {link !== null && (
          <>
            <QrCode link={link} />
            <code>{link}</code>
          </>
        )}
        <p role="status">{trouble ?? (devices.length === 0 ? emptyRoomWords() : presentWords(devices))}</p>
      </div>
      {round !== null && (
        <div className="present-round">
          <QuestionState round={round} />
        </div>
      )}
    </section>
  )
}
