import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../app/base/controls/Button.tsx'
import { useSession } from '../../app/session/useSession.ts'
import { t } from '../../language/translate.ts'
import type { SeatChoice } from '../../runs/study/byHand.ts'
import { stateBefore } from '../../trace/trace.ts'
import { clock } from '../../views/drawing/format.ts'
import { beatStore } from './beatStore.ts'
import { FreeWorkers } from './FreeWorkers.tsx'
import { acceptMoves, countSentTo, type Playing, undoMove } from './game.ts'
import { idleWorkerStages, leftBehind } from './idleWorkers.ts'
import { Places } from './Places.tsx'
import { ShowGame } from './ShowGame.tsx'
import { Target } from './Target.tsx'

/** One turn: who is free, what waits where, and where they go. */
export function BeatTurn({ playing, choice }: { readonly playing: Playing; readonly choice: SeatChoice }) {
  const session = useSession()
  const { base, going, moves, run } = playing
  const toBeat = useStore(beatStore(session), (state) => state.toBeat)
  const text = useRef<HTMLParagraphElement>(null)
  // The button that led here is gone with the turn before, and with it the focus.
  useEffect(() => {
    if (document.activeElement === document.body) text.current?.focus({ preventScroll: true })
    text.current?.parentElement?.scrollTo(0, 0)
  }, [])
  const left = choice.free - going.length
  const { counts } = stateBefore(run.trace, run.trace.length)
  const idle = idleWorkerStages(counts)
  return (
    <>
      {toBeat !== null && <Target toBeat={toBeat} />}
      <div className="beat-ask">
        <p ref={text} tabIndex={-1}>
          {t('{time}: {free, plural, one {# worker is free} other {# workers are free}}. Where to?', { time: clock(choice.time), free: choice.free })}
        </p>
        <FreeWorkers stand={leftBehind(idle, going).slice(0, left)} sent={going.length} />
      </div>
      <Places playing={playing} choice={choice} counts={counts} here={base.stages.map((_, s) => countSentTo(idle, s))} />
      <p className="beat-acts">
        <Button className="button lesson-next" disabled={left > 0} onClick={() => void acceptMoves(session)}>
          {t('Go on')} <kbd>↵</kbd>
        </Button>
        {moves.length > 0 && <Button className="link" onClick={() => void undoMove(session)} text={t('One turn back')} />}
      </p>
      <ShowGame run={run} />
      <p className="soft beat-how">{t('Press a place or its number, or drag a worker there; whoever stands there already goes first.')}</p>
    </>
  )
}
