import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { say } from '../../language/say.ts'
import { BeatEnd } from './BeatEnd.tsx'
import { BeatStart } from './BeatStart.tsx'
import { BeatTurn } from './BeatTurn.tsx'
import { attend, closeBeat, gameStore } from './game.ts'
import { listenToMoves } from './moveKeys.ts'
import '../lessons/lessons.css'
import './beat.css'

/** Beside the picture: a game in which one gives the seats out oneself, decision by decision. */
export function BeatPanel() {
  const playing = useStore(gameStore, (state) => state.playing)
  const [folded, setFolded] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(attend, [])
  useEffect(listenToMoves, [])
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <section className={folded ? 'lesson beat folded' : 'lesson beat'} data-control="game" aria-label={say('Beat the scheduler')}>
      <header>
        <div>
          <p className="lesson-count">{countOf(playing)}</p>
          <h2 ref={heading} tabIndex={-1}>
            {say('Beat the scheduler')}
          </h2>
        </div>
        <button type="button" className="icon fold" aria-expanded={!folded} aria-label={say('The text of the game')} onClick={() => setFolded(!folded)}>
          <svg viewBox="0 0 10 6" width="11" height="7" aria-hidden="true">
            <path d="M1 1l4 4 4-4" fill="none" stroke="currentColor" strokeWidth="1.4" />
          </svg>
        </button>
        <button type="button" className="icon" aria-label={say('Leave the game')} title={say('Leave the game')} onClick={closeBeat}>
          ×
        </button>
      </header>
      <div className="lesson-body">
        {playing === null ? (
          <BeatStart />
        ) : playing.game.choice === null ? (
          <BeatEnd playing={playing} />
        ) : (
          <BeatTurn key={playing.moves.length} playing={playing} choice={playing.game.choice} />
        )}
      </div>
    </section>
  )
}

function countOf(playing: ReturnType<typeof gameStore.getState>['playing']): string {
  if (playing === null) return say('A game')
  const { game, moves } = playing
  return game.choice === null ? say('The end') : say('Turn {n, number} of about {all, number}', { n: moves.length + 1, all: game.choices })
}
