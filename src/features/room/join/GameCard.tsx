import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { t } from '../../../language/translate.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { clock, duration } from '../../../views/drawing/format.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import type { SeatChoice } from '../../game/byHand.ts'
import type { RoomRound } from '../protocol/rounds.ts'
import { createGamePlay, type GamePlay, type GameTurn, roomAt, STAY } from './gamePlay.ts'

interface Props {
  readonly round: RoomRound & { readonly kind: 'game' }
  send(seats: Uint8Array): void
}

/** Beat the scheduler on a phone: turn by turn, and the score at the end. */
export function GameCard({ round: { scenario, open }, send }: Props) {
  const [play] = useState(() => createGamePlay(scenario, send))
  if (play instanceof Error) return <p className="warning">{play.message}</p>
  return <Playing play={play} open={open} />
}

function Playing({ play, open }: { readonly play: GamePlay; readonly open: boolean }) {
  const turn = useStore(play.store)
  useEffect(() => void play.begin(), [play])
  if (turn === null) return null
  const { choice } = turn.game
  if (choice === null) return <GameOver turn={turn} play={play} open={open} />
  if (!open) return <p>{t('The host has ended the game.')}</p>
  return <Turn key={turn.turns} turn={turn} choice={choice} play={play} />
}

function Turn({ turn, choice, play }: { readonly turn: GameTurn; readonly choice: SeatChoice; readonly play: GamePlay }) {
  const { base, game, turns, going, waiting, means } = turn
  const palette = currentPalette()
  const left = choice.free - going.length
  const sentTo = (stage: number) => going.filter((each) => each === stage).length
  const place = (stage: number, name: string, about: string) => (
    <li key={stage}>
      <button
        type="button"
        disabled={left === 0 || roomAt(choice, going, stage) <= 0}
        style={stage === STAY ? undefined : { borderLeftColor: stageColour(palette, stage).fill }}
        onClick={() => play.send(stage)}
      >
        <strong>{name}</strong>
        <span className="soft">{about}</span>
        {sentTo(stage) > 0 && (
          <b>
            <span aria-hidden="true">+</span>
            {sentTo(stage)} <span className="unseen">{t('sent here')}</span>
          </b>
        )}
      </button>
    </li>
  )
  return (
    <>
      <h2>{t('Beat the scheduler')}</h2>
      <p className="soft">
        {t('Turn {n, number} of about {all, number}', { n: turns + 1, all: game.choices })} · {clock(choice.time)}
      </p>
      <p aria-live="polite">{left > 0 ? t('{left, plural, one {# worker is free} other {# workers are free}}. Where to?', { left }) : t('All are sent.')}</p>
      <ol className="join-places">
        {stageNumbers(base).map((s) =>
          place(
            s,
            base.stages[s].name,
            [
              t('{n, number} waiting', { n: waiting[s] }),
              t('{n, number} at work', { n: choice.busy[s] }),
              Number.isNaN(means[s]) ? t('never measured') : t('{mean} per job', { mean: duration(means[s]) }),
            ].join(' · '),
          ),
        )}
        {choice.mayWait > 0 && place(STAY, t('Nowhere'), t('idle until the next turn'))}
      </ol>
      <p className="join-acts">
        <Button className="button join-second" disabled={going.length === 0} onClick={play.takeBack} text={t('Take back')} />
        <Button className="button join-send" disabled={left > 0} onClick={() => void play.accept()} text={t('Continue')} />
      </p>
    </>
  )
}

function GameOver({ turn: { game, rule }, play, open }: { readonly turn: GameTurn; readonly play: GamePlay; readonly open: boolean }) {
  const mine = game.onward.makespan
  return (
    <>
      <h2>{t('All jobs are done after {time}.', { time: duration(mine) })}</h2>
      <p className={mine < rule ? 'good' : undefined} aria-live="polite">
        {mine < rule
          ? t('You beat the scheduler: it takes {time}.', { time: duration(rule) })
          : mine === rule
            ? t('The scheduler takes the same time.')
            : t('The scheduler takes {time}.', { time: duration(rule) })}
      </p>
      {open ? (
        <>
          <p>{t('Your score is on the host’s screen. Your best game counts.')}</p>
          <Button className="button join-send" onClick={() => void play.begin()} text={t('Play again')} />
        </>
      ) : (
        <p>{t('The host has ended the game.')}</p>
      )}
    </>
  )
}
