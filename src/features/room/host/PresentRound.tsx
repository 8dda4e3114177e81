import { useStore } from 'zustand'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { RoomRound } from '../protocol/roundMessages.ts'
import { ClassBoard } from './ClassBoard.tsx'
import { classGame } from './gameRound.ts'
import { QuestionState } from './QuestionState.tsx'

/** As many scores as can be read from the last row. */
const LISTED = 8

/** The question or the game of the room, for an audience. */
export function PresentRound({ round }: { readonly round: RoomRound }) {
  const session = useSession()
  const { base } = useStore(classGame(session))
  if (round.kind === 'question') return <QuestionState round={round} />
  return (
    <>
      <p className="class-question">{t('Beat the scheduler')}</p>
      {base !== null && <ClassBoard base={base} most={LISTED} />}
    </>
  )
}
