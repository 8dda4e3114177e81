import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../app/base/controls/Button.tsx'
import { currentPalette } from '../../app/base/page/theme.ts'
import { Swatch } from '../../app/base/ui/Table.tsx'
import { type Run, runStore } from '../../app/session/run/runStore.ts'
import type { Session } from '../../app/session/session.ts'
import { useSession } from '../../app/session/useSession.ts'
import { t } from '../../language/translate.ts'
import { IDLE } from '../../pipeline/counts.ts'
import type { State } from '../../pipeline/state.ts'
import type { ToBeat } from '../../scenario/link/opening.ts'
import { stageNumbers } from '../../scenario/model/linearStages.ts'
import { stateBefore } from '../../trace/trace.ts'
import { duration, exactDuration } from '../../views/drawing/format.ts'
import { stageColour } from '../../views/drawing/palette.ts'
import { beatStore } from './beatStore.ts'
import type { SeatChoice } from './byHand.ts'
import {
  acceptMoves,
  countSentTo,
  gameStore,
  MAX_KEYS,
  type Playing,
  sendWorker,
  showGame,
  takeBackWorker,
  turnQuestion,
  undoMove,
  WAIT,
} from './game.ts'
import { scoreText } from './scores.ts'

/** One turn: the free workers, the stages, and where the workers go. */
export function BeatTurn({ playing, choice }: { readonly playing: Playing; readonly choice: SeatChoice }) {
  const session = useSession()
  const { base, going, moves, run } = playing
  const toBeat = useStore(beatStore(session), (state) => state.toBeat)
  const text = useRef<HTMLParagraphElement>(null)
  // The focused button was removed with the previous turn, so the focus is set again.
  useEffect(() => {
    if (document.activeElement === document.body) text.current?.focus({ preventScroll: true })
    text.current?.parentElement?.scrollTo(0, 0)
  }, [])
  const left = choice.free - going.length
  const { counts } = stateBefore(run.trace, run.trace.length)
  // The stage of each idle worker, in the order of workers; NONE for no stage.
  const idle = Array.from(counts.stage).filter((_, w) => counts.status[w] === IDLE)
  return (
    <>
      {toBeat !== null && <Target toBeat={toBeat} />}
      <div className="beat-ask">
        <p ref={text} tabIndex={-1}>
          {turnQuestion(choice)}
        </p>
        <FreeWorkers stand={leftBehind(idle, going).slice(0, left)} sent={going.length} />
      </div>
      <Places
        playing={playing}
        choice={choice}
        counts={counts}
        here={base.stages.map((_, s) => countSentTo(idle, s))}
      />
      <p className="beat-acts">
        <Button className="button lesson-next" disabled={left > 0} onClick={() => void acceptMoves(session)}>
          {t('Continue')} <kbd>↵</kbd>
        </Button>
        {moves.length > 0 && <Button className="link" onClick={() => void undoMove(session)} text={t('Undo')} />}
      </p>
      <ShowGame run={run} />
      <p className="soft beat-how">{t('Press a stage or its number, or drag a worker there.')}</p>
    </>
  )
}

export function Target({ toBeat: { goal, score } }: { readonly toBeat: ToBeat }) {
  return (
    <p className="beat-target">{t('The score to beat: {score}.', { score: scoreText(goal, exactDuration(score)) })}</p>
  )
}

/** A button back to the run of the game while the page shows another run. */
export function ShowGame({ run }: { readonly run: Run }) {
  const session = useSession()
  const shows = useStore(runStore(session), (state) => state.run === run)
  return shows ? null : (
    <Button
      className="link"
      onClick={() => void showGame(session)}
      text={t('The page shows something else: show the game again')}
    />
  )
}

/** The free workers as seats in the colour of their stages. They can be dragged to a row below or to a card in the pipeline. */
function FreeWorkers({ stand, sent }: { readonly stand: readonly number[]; readonly sent: number }) {
  const session = useSession()
  const palette = currentPalette()
  const free = stand.length
  const [held, setHeld] = useState<{ readonly seat: number; readonly left: number; readonly top: number } | null>(null)
  const take = (seat: number, event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    carry(seat, event)
  }
  const carry = (seat: number, { clientX, clientY }: PointerEvent) => setHeld({ seat, left: clientX, top: clientY })
  const drop = ({ clientX, clientY }: PointerEvent) => {
    setHeld(null)
    const place = placeAt(session, clientX, clientY)
    if (held !== null && place !== null) sendWorker(session, place)
  }
  return (
    <p className="beat-free" aria-live="polite">
      <span className="unseen">
        {t('{free, plural, =0 {All are sent} one {# worker to send} other {# workers to send}}', { free })}
      </span>
      {stand.map((stage, seat) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: one free worker is like another
          key={seat}
          className={held?.seat === seat ? 'beat-seat held' : 'beat-seat'}
          aria-hidden="true"
          style={{
            ...(stage >= 0 && { borderColor: stageColour(palette, stage).fill }),
            ...(held?.seat === seat && { left: held.left, top: held.top }),
          }}
          onPointerDown={(event) => take(seat, event)}
          onPointerMove={held === null ? undefined : (event) => carry(seat, event)}
          onPointerUp={drop}
          onPointerCancel={() => setHeld(null)}
        />
      ))}
      {/* Seats of workers that were sent stay empty, so that nothing below moves. */}
      {Array.from({ length: sent }, (_, k) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one place is like another
        <span key={free + k} className="beat-seat gone" aria-hidden="true" />
      ))}
    </p>
  )
}

/** Returns the stage that is drawn there, or WAIT; null if there is none. */
function placeAt(session: Session, x: number, y: number): number | null {
  const { playing } = gameStore(session).getState()
  for (const element of document.elementsFromPoint(x, y)) {
    const row = element.closest<HTMLElement>('[data-beat-place]')
    if (row !== null) return Number(row.dataset.beatPlace)
    const card = element.closest<HTMLElement>('.react-flow__node')
    const stage = playing?.base.stages.findIndex(({ id }) => id === card?.dataset.id) ?? -1
    if (card !== null) return stage < 0 ? null : stage
  }
  return null
}

/** Returns the free workers that are left after some are sent. A stage first gets a worker that is already there, else the first one, as in the scheduler. */
function leftBehind(idle: readonly number[], going: readonly number[]): number[] {
  const left = idle.slice()
  const others = going.filter((place) => {
    const at = place === WAIT ? -1 : left.indexOf(place)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  for (const place of others) left.splice(place === WAIT ? left.length - 1 : 0, 1)
  return left
}

type Props = {
  readonly playing: Playing
  readonly choice: SeatChoice
  readonly counts: State['counts']
  readonly here: readonly number[]
}

/** Where free workers can be sent: each stage in the order of the pipeline; the last place lets a worker wait. */
function Places({ playing: { base, going }, choice, counts: { waiting, finished, serviceSum }, here }: Props) {
  return (
    <ol className="beat-stages">
      {stageNumbers(base).map((s, k) => {
        const { id, name } = base.stages[s]
        const figures = [
          t('{n, number} waiting', { n: waiting[s] }),
          ...(waiting[s] > 0 && choice.open[s] === 0 ? [t('none can start')] : []),
          t('{n, number} at work', { n: choice.busy[s] }),
          ...(here[s] > 0 ? [t('{n, number} free here', { n: here[s] })] : []),
          finished[s] === 0
            ? t('never measured')
            : t('{mean} per job', { mean: duration(serviceSum[s] / finished[s]) }),
        ]
        return (
          <Place
            key={id}
            place={s}
            shortcut={k < MAX_KEYS ? k + 1 : null}
            name={
              <>
                <Swatch stage={s} /> {name}
              </>
            }
            about={figures.join(' · ')}
            label={t('Send a worker to {name}: {figures}', { name, figures: figures.join(', ') })}
            limit={choice.open[s]}
            sent={countSentTo(going, s)}
            back={t('{name}: take one back', { name })}
          />
        )
      })}
      <Place
        place={WAIT}
        shortcut={0}
        name={t('Let one wait')}
        about={choice.mayWait === 0 ? t('not now: no other worker is busy') : ''}
        limit={choice.mayWait}
        sent={countSentTo(going, WAIT)}
        back={t('{name}: take one back', { name: t('Let one wait') })}
      />
    </ol>
  )
}

interface PlaceProps {
  readonly place: number
  readonly shortcut: number | null
  readonly name: ReactNode
  readonly about: string
  readonly label?: string
  readonly limit: number
  readonly sent: number
  readonly back: string
}

function Place({ place, shortcut, name, about, label, limit, sent, back }: PlaceProps) {
  const session = useSession()
  return (
    <li data-beat-place={place}>
      <Button
        className="beat-stage"
        disabled={limit === 0}
        aria-disabled={sent >= limit}
        aria-label={label}
        aria-keyshortcuts={shortcut === null ? undefined : String(shortcut)}
        onClick={() => sendWorker(session, place)}
      >
        {shortcut !== null && <kbd>{shortcut}</kbd>}
        <span className="beat-name">{name}</span>
        <small className="soft">{about}</small>
      </Button>
      {sent > 0 && (
        <Button
          className="beat-sent"
          aria-label={back}
          aria-keyshortcuts="Backspace"
          onClick={({ currentTarget }) => {
            takeBackWorker(session, place)
            // The button is removed with the last worker, so the focus moves.
            if (sent === 1) (currentTarget.previousElementSibling as HTMLElement).focus()
          }}
        >
          +{sent}
        </Button>
      )}
    </li>
  )
}
