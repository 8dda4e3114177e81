import { useEffect } from 'react'
import { useStore } from 'zustand'
import { PanelFrame } from '../../app/base/ui/PanelFrame.tsx'
import { useSession } from '../../app/session/useSession.ts'
import { t } from '../../language/translate.ts'
import { BeatEnd } from './BeatEnd.tsx'
import { BeatStart } from './BeatStart.tsx'
import { BeatTurn } from './BeatTurn.tsx'
import { attendGame, closeBeat, gameStore, type Playing } from './game.ts'
import { listenToMoves } from './moveKeys.ts'
import './beat.css'

/** The game beside the pipeline: the player gives the seats, turn by turn. */
export function BeatPanel() {
  const session = useSession()
  const playing = useStore(gameStore(session), (state) => state.playing)
  useEffect(() => attendGame(session), [session])
  useEffect(() => listenToMoves(session), [session])
  return (
    <PanelFrame
      className="lesson beat"
      control="game"
      label={t('Beat the scheduler')}
      count={countOf(playing)}
      title={t('Beat the scheduler')}
      text={t('The text of the game')}
      leave={t('Leave the game')}
      leaves={t('Leave the game')}
      onLeave={() => closeBeat(session)}
    >
      <div className="lesson-body">
        {playing === null ? (
          <BeatStart />
        ) : playing.game.choice === null ? (
          <BeatEnd playing={playing} />
        ) : (
          <BeatTurn key={playing.moves.length} playing={playing} choice={playing.game.choice} />
        )}
      </div>
    </PanelFrame>
  )
}

function countOf(playing: Playing | null): string {
  if (playing === null) return t('A game')
  const { game, moves } = playing
  return game.choice === null ? t('The end') : t('Turn {n, number} of about {all, number}', { n: moves.length + 1, all: game.choices })
}
