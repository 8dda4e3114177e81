import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { SeatChoice } from '../../../runs/study/byHand.ts'
import { stateBefore } from '../../../trace/trace.ts'
import { clock } from '../../../views/drawing/format.ts'
import { useSession } from '../../session/useSession.ts'
import { beatStore } from './beatStore.ts'
import { FreeWorkers } from './FreeWorkers.tsx'
import { accept, goingTo, type Playing, showGame, undoMove } from './game.ts'
import { Places } from './Places.tsx'
import { leftBehind, standing } from './standing.ts'
import { Target } from './Target.tsx'
import { useShowsGame } from './useShowsGame.ts'

/** One turn: who is free, what waits where, and where they go. */
export function BeatTurn({ playing, choice }: { readonly playing: Playing; readonly choice: SeatChoice }) {
  const session = useSession()
  const { base, going, moves, run } = playing
  const toBeat = useStore(beatStore(session), (state) => state.toBeat)
  const shows = useShowsGame(run)
  const text = useRef<HTMLParagraphElement>(null)
  // The button that led here is gone with the turn before, and with it the focus.
  useEffect(() => {
    if (document.activeElement === document.body) text.current?.focus({ preventScroll: true })
    text.current?.parentElement?.scrollTo(0, 0)
  }, [])
  const left = choice.free - going.length
  const { counts } = stateBefore(run.trace, run.trace.length)
  const idle = standing(counts)
  return (
    <>
      {toBeat !== null && <Target toBeat={toBeat} />}
      <div className="beat-ask">
        <p ref={text} tabIndex={-1}>
          {t('{time}: {free, plural, one {# worker is free} other {# workers are free}}. Where to?', { time: clock(choice.time), free: choice.free })}
        </p>
        <FreeWorkers stand={leftBehind(idle, going).slice(0, left)} sent={going.length} />
      </div>
      <Places playing={playing} choice={choice} counts={counts} here={base.stages.map((_, s) => goingTo(idle, s))} />
      <p className="beat-acts">
        <button type="button" className="button lesson-next" disabled={left > 0} onClick={() => void accept(session)}>
          {t('Go on')} <kbd>↵</kbd>
        </button>
        {moves.length > 0 && (
          <button type="button" className="link" onClick={() => void undoMove(session)}>
            {t('One turn back')}
          </button>
        )}
      </p>
      {!shows && (
        <button type="button" className="link" onClick={() => void showGame(session)}>
          {t('Something else is on the page: show the game again')}
        </button>
      )}
      <p className="soft beat-how">{t('Press a place or its number, or drag a worker there; whoever stands there already goes first.')}</p>
    </>
  )
}
