import { useEffect } from 'react'
import { useStore } from 'zustand'
import { say } from '../../../language/say.ts'
import { PanelFrame } from '../../base/ui/PanelFrame.tsx'
import { BeatEnd } from './BeatEnd.tsx'
import { BeatStart } from './BeatStart.tsx'
import { BeatTurn } from './BeatTurn.tsx'
import { attend, closeBeat, gameStore } from './game.ts'
import { listenToMoves } from './moveKeys.ts'
import './beat.css'

/** Beside the picture: a game in which one gives the seats out oneself, decision by decision. */
export function BeatPanel() {
  const playing = useStore(gameStore, (state) => state.playing)
  useEffect(attend, [])
  useEffect(listenToMoves, [])
  return (
    <PanelFrame
      className="lesson beat"
      control="game"
      label={say('Beat the scheduler')}
      count={countOf(playing)}
      title={say('Beat the scheduler')}
      text={say('The text of the game')}
      leave={say('Leave the game')}
      leaves={say('Leave the game')}
      onLeave={closeBeat}
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

function countOf(playing: ReturnType<typeof gameStore.getState>['playing']): string {
  if (playing === null) return say('A game')
  const { game, moves } = playing
  return game.choice === null ? say('The end') : say('Turn {n, number} of about {all, number}', { n: moves.length + 1, all: game.choices })
}
