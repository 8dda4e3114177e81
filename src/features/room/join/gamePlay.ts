import { createStore } from 'zustand/vanilla'
import { t } from '../../../language/translate.ts'
import { readFragment } from '../../../scenario/link/codec.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { stateBefore } from '../../../trace/trace.ts'
import { type Game, movesOf, playByHand, type SeatChoice, seatsFor } from '../../game/byHand.ts'

/** Instead of a stage: the worker stays idle until the next turn. */
export const STAY = -1

export interface GameTurn {
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
export type GamePlay = Exclude<ReturnType<typeof createGamePlay>, Error>

/** Returns the game on the scenario of a link, or an Error with a message for users if the link has none. */
export function createGamePlay(link: string, ended: (seats: Uint8Array) => void) {
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
      if (turn == null || choice == null || turn.going.length >= choice.free || roomAt(choice, turn.going, stage) <= 0) return
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
export function roomAt({ mayWait, open }: SeatChoice, going: readonly number[], stage: number): number {
  return (stage === STAY ? mayWait : open[stage]) - going.filter((each) => each === stage).length
}
