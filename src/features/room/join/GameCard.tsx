import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { Button } from '../../../app/base/controls/Button.tsx'
import { currentPalette } from '../../../app/base/page/theme.ts'
import { t } from '../../../language/translate.ts'
import { readFragment } from '../../../scenario/link/codec.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { stateBefore } from '../../../trace/trace.ts'
import { clock, duration } from '../../../views/drawing/format.ts'
import { stageColour } from '../../../views/drawing/palette.ts'
import { type Game, movesOf, playByHand, type SeatChoice, seatsFor } from '../../game/byHand.ts'
import type { RoomRound } from '../protocol/rounds.ts'

type Props = { readonly round: RoomRound & { readonly kind: 'game' }; send(seats: Uint8Array): void }

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

function Turn({
  turn,
  choice,
  play,
}: {
  readonly turn: GameTurn
  readonly choice: SeatChoice
  readonly play: GamePlay
}) {
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
      <p aria-live="polite">
        {left > 0
          ? t('{left, plural, one {# worker is free} other {# workers are free}}. Where to?', { left })
          : t('All are sent.')}
      </p>
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
        <Button
          className="button join-second"
          disabled={going.length === 0}
          onClick={play.takeBack}
          text={t('Take back')}
        />
        <Button
          className="button join-send"
          disabled={left > 0}
          onClick={() => void play.accept()}
          text={t('Continue')}
        />
      </p>
    </>
  )
}

function GameOver({
  turn: { game, rule },
  play,
  open,
}: {
  readonly turn: GameTurn
  readonly play: GamePlay
  readonly open: boolean
}) {
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

/** Instead of a stage: the worker stays idle until the next turn. */
const STAY = -1

interface GameTurn {
  readonly base: Scenario
  readonly game: Game
  /** The number of finished turns. */
  readonly turns: number
  /** The stages (or STAY) chosen for the free workers so far, in order. */
  readonly going: readonly number[]
  /** By stage, how many jobs wait, and the mean of the service times so far: NaN before the first. */
  readonly waiting: readonly number[]
  readonly means: readonly Micros[]
  /** The makespan of the policy to beat, in microseconds. */
  readonly rule: number
}

/** A game against the scheduler, as a device plays it. */
type GamePlay = Exclude<ReturnType<typeof createGamePlay>, Error>

/** Returns the game on the scenario of a link, or an Error for users if the link has none. */
function createGamePlay(link: string, ended: (seats: Uint8Array) => void) {
  const read = readFragment(link)
  if (read.found !== 'scenario') return new Error(t('This page cannot read the game. Load the page again.'))
  const base = read.scenario
  /** Null before the first turn. */
  const store = createStore<GameTurn | null>(() => null)
  let rule = 0
  let latest = 0

  async function go(allocations: readonly (readonly number[])[], turns: number): Promise<void> {
    const mine = ++latest
    const game = await playByHand(base, allocations, 0)
    if (mine !== latest) return
    if (turns === 0) rule = game.onward.makespan
    const { waiting, finished, serviceSum } = stateBefore(game.trace, game.trace.length).counts
    const means = Array.from(serviceSum, (sum, s) => sum / finished[s])
    store.setState({ base, game, turns, going: [], waiting: [...waiting], means, rule }, true)
    if (game.choice === null) ended(movesOf(game))
  }

  return {
    store,
    /** Begins, or begins again. */
    begin: () => go([], 0),
    send(stage: number): void {
      const turn = store.getState()
      const choice = turn?.game.choice
      if (turn == null || choice == null || turn.going.length >= choice.free || roomAt(choice, turn.going, stage) <= 0)
        return
      store.setState({ ...turn, going: [...turn.going, stage] })
    },
    takeBack(): void {
      const turn = store.getState()
      if (turn !== null) store.setState({ ...turn, going: turn.going.slice(0, -1) })
    },
    /** Finishes the turn once all free workers are sent. The last turn sends the game to the host. */
    async accept(): Promise<void> {
      const turn = store.getState()
      const choice = turn?.game.choice
      if (turn == null || choice == null || turn.going.length < choice.free) return
      const { policy } = turn.game.scenario
      const sent = choice.open.map((_, s) => turn.going.filter((each) => each === s).length)
      await go([...(policy.kind === 'byHand' ? policy.allocations : []), seatsFor(choice, sent)], turn.turns + 1)
    },
  }
}

/** Returns how many more workers can be sent to a stage, or can stay idle. */
function roomAt({ mayWait, open }: SeatChoice, going: readonly number[], stage: number): number {
  return (stage === STAY ? mayWait : open[stage]) - going.filter((each) => each === stage).length
}
