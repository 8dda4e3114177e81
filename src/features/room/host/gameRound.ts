import { createStore } from 'zustand/vanilla'
import { scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { t } from '../../../language/translate.ts'
import { toShortFragment } from '../../../scenario/link/codec.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { isPlayable, MAX_SENT, type Scores, scoresOfMoves } from '../../game/byHand.ts'
import { MAX_ROUND, packRound, type RoomRound, type RoundAnswer } from '../protocol/rounds.ts'
import { beginRound, newRound, roundStore } from './hostRounds.ts'

/** A player of the game: the best game of a device. */
export interface ClassScore {
  readonly device: string
  readonly player: string
  readonly scores: Scores
  /** How many complete games the device has sent. */
  readonly games: number
}

interface ClassGame {
  /** The scenario of the game; null: no game yet. */
  readonly base: Scenario | null
  readonly board: readonly ClassScore[]
  /** How many games were against the rules. */
  readonly refused: number
}

/** At most this many games per device are replayed. */
const MAX_GAMES = 50
const nothing: ClassGame = { base: null, board: [], refused: 0 }

/** The scores of the room. The page replays the moves, so devices cannot claim a score. */
export const classGame = part((session) => {
  const store = createStore<ClassGame>(() => nothing)
  const waiting = new Map<string, RoundAnswer & { readonly kind: 'moves' }>()
  const played = new Map<string, number>()
  let busy = false
  session.onEnd(
    roundStore(session).subscribe(({ round, answers }, before) => {
      if (round?.round !== before.round?.round) played.clear()
      for (const [device, answer] of answers)
        if (answer.kind === 'moves' && before.answers.get(device) !== answer) waiting.set(device, answer)
      void score()
    }),
  )
  return store

  /** Replays one game at a time, each some milliseconds, so that the page stays responsive. */
  async function score(): Promise<void> {
    if (busy) return
    busy = true
    for (let next = waiting.entries().next(); !next.done; next = waiting.entries().next()) {
      const [device, answer] = next.value
      waiting.delete(device)
      const { base } = store.getState()
      const games = (played.get(device) ?? 0) + 1
      played.set(device, games)
      if (base === null || games > MAX_GAMES || !isPresent(answer)) continue
      const scores = await scoresOfMoves(base, answer.seats)
      if (!isPresent(answer)) continue
      const state = store.getState()
      if (scores === null) store.setState({ refused: state.refused + 1 })
      else store.setState({ board: boardWith(state.board, { device, player: answer.player, scores, games }) })
    }
    busy = false
  }

  function isPresent({ round }: RoundAnswer): boolean {
    return roundStore(session).getState().round?.round === round
  }
})

/** Returns why the room cannot play a scenario; null if it can. */
export async function whyNoGame(scenario: Scenario): Promise<string | null> {
  if (scenario.workers > MAX_SENT) return t('it has more than {n} workers', { n: MAX_SENT })
  if (packRound(gameOf(scenario)).length > MAX_ROUND) return t('it is too long for one message')
  const playable = await isPlayable(scenario)
  return 'reason' in playable ? playable.reason : null
}

/** Lets the room play the scenario on the canvas. */
export function beginClassGame(session: Session): void {
  const { scenario } = scenarioStore(session).getState()
  classGame(session).setState({ ...nothing, base: scenario })
  beginRound(session, gameOf(scenario))
}

/** Returns the board with one more game. The best game of each player counts, even if the device has changed its name. */
export function boardWith(board: readonly ClassScore[], game: ClassScore): ClassScore[] {
  const before = board.find(({ device, player }) => device === game.device || player === game.player)
  const better = before !== undefined && before.scores.makespan <= game.scores.makespan ? before.scores : game.scores
  return [...board.filter((each) => each !== before), { ...game, scores: better }].sort(
    (a, b) => a.scores.makespan - b.scores.makespan,
  )
}

function gameOf(scenario: Scenario): RoomRound {
  return { kind: 'game', round: newRound(), open: true, scenario: toShortFragment(scenario) }
}
