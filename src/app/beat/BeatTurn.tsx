import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { say } from '../../language/say.ts'
import type { Choice } from '../../runs/byHand.ts'
import { lineNumbers } from '../../scenario/line.ts'
import { stateBefore } from '../../trace/trace.ts'
import { clock, duration } from '../../views/format.ts'
import { Swatch } from '../Swatch.tsx'
import { beatStore } from './beatStore.ts'
import { FreeWorkers } from './FreeWorkers.tsx'
import { accept, type Playing, send, showGame, takeBack, undoMove } from './game.ts'
import { KEYED } from './moveKeys.ts'
import { Target } from './Target.tsx'
import { useShowsGame } from './useShowsGame.ts'

/** One decision: who is free, what waits where, and where they are to go. */
export function BeatTurn({ playing, choice }: { readonly playing: Playing; readonly choice: Choice }) {
  const { base, going, moves, run } = playing
  const toBeat = useStore(beatStore, (state) => state.toBeat)
  const shows = useShowsGame(run)
  const text = useRef<HTMLParagraphElement>(null)
  // The decision before has gone with the button that led here.
  useEffect(() => {
    if (document.activeElement === document.body) text.current?.focus({ preventScroll: true })
    text.current?.parentElement?.scrollTo(0, 0)
  }, [])
  const left = choice.free - going.length
  const { waiting, finished, serviceSum } = stateBefore(run.trace, run.trace.length).tally
  return (
    <>
      {toBeat !== null && <Target toBeat={toBeat} />}
      <p ref={text} tabIndex={-1}>
        {say('{time}: {free, plural, one {# worker is free} other {# workers are free}}. Where to?', { time: clock(choice.time), free: choice.free })}
      </p>
      <FreeWorkers free={left} />
      <ol className="beat-stages">
        {lineNumbers(base).map((s, place) => {
          const { name } = base.stages[s]
          const sent = going.filter((each) => each === s).length
          const figures = [
            say('{n, number} waiting', { n: waiting[s] }),
            say('{n, number} at work', { n: choice.busy[s] }),
            finished[s] === 0 ? say('never measured') : say('{mean} a job', { mean: duration(serviceSum[s] / finished[s]) }),
          ].join(', ')
          return (
            <li key={base.stages[s].id} data-beat-stage={s}>
              <button
                type="button"
                className="beat-stage"
                disabled={choice.open[s] === 0}
                aria-label={say('Send a worker to {name}: {figures}', { name, figures })}
                aria-keyshortcuts={place < KEYED ? String(place + 1) : undefined}
                onClick={() => send(s)}
              >
                {place < KEYED && <kbd>{place + 1}</kbd>}
                <span className="beat-name">
                  <Swatch stage={s} /> {name}
                </span>
                <small className="soft">{figures}</small>
              </button>
              <button
                type="button"
                className="beat-sent"
                disabled={sent === 0}
                aria-label={say('{sent, plural, =0 {Nobody sent to {name}} one {# sent to {name}; take one back} other {# sent to {name}; take one back}}', {
                  sent,
                  name,
                })}
                title={sent === 0 ? undefined : say('Take one back (Backspace)')}
                onClick={() => takeBack(s)}
              >
                {sent > 0 && `+${sent}`}
              </button>
            </li>
          )
        })}
      </ol>
      <p className="beat-acts">
        <button type="button" className="button lesson-next" disabled={left > 0} onClick={() => void accept()}>
          {say('Go on')} <kbd>↵</kbd>
        </button>
        {moves.length > 0 && (
          <button type="button" className="link" onClick={() => void undoMove()}>
            {say('One decision back')}
          </button>
        )}
      </p>
      {!shows && (
        <button type="button" className="link" onClick={() => void showGame()}>
          {say('Something else is on the page: show the game again')}
        </button>
      )}
      <p className="soft beat-how">
        {say('Press a stage, or its number, or drag a worker there; those who stand at a stage already stay if one is wanted there.')}
      </p>
    </>
  )
}
