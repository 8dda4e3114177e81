import { createStore } from 'zustand/vanilla'
import { isField } from '../../app/base/ui/command.ts'
import { dropOption } from '../../app/session/address.ts'
import { openPanel, panelStore } from '../../app/session/page/showing.ts'
import { showRun } from '../../app/session/run/opening.ts'
import { movePlayback, type Run, runStore } from '../../app/session/run/runStore.ts'
import { scenarioStore, select } from '../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../app/session/session.ts'
import { t } from '../../language/translate.ts'
import { createChart, extendChart } from '../../measures/series/chart.ts'
import type { Goal } from '../../scenario/link/opening.ts'
import { stageNumbers } from '../../scenario/model/linearStages.ts'
import type { Micros, Scenario } from '../../scenario/model/scenario.ts'
import { catchUp, endOf } from '../../trace/trace.ts'
import { clock } from '../../views/drawing/format.ts'
import { beatStore } from './beatStore.ts'
import { type Game, playByHand, type Scores, type SeatChoice, seatsFor } from './byHand.ts'

interface Move {
  readonly choice: SeatChoice
  /** How many of the free workers went to each stage. */
  readonly sent: readonly number[]
  /** The scores if the policy had chosen from here on. */
  readonly onward: Scores
}

type Turns = { readonly base: Scenario; readonly goal: Goal; readonly moves: readonly Move[] }

export interface Playing extends Turns {
  readonly game: Game
  readonly run: Run
  /** Where the free workers are to go, by stage or WAIT, in the order they were sent. */
  readonly going: readonly number[]
}

/** Instead of a stage: the worker stays idle until the next turn. */
export const WAIT = -1

export const gameStore = part(() => createStore<{ readonly playing: Playing | null }>(() => ({ playing: null })))

/** How long the page takes to show what happens between two turns, in microseconds. */
const SHOWN_US = 900_000

/** Only the latest request is shown. */
const requests = part(() => ({ latest: 0 }))

/** Returns the game and the choice that the player has to make; null if there is none. */
function turnOf(session: Session) {
  const { playing } = gameStore(session).getState()
  const choice = playing?.game.choice
  return playing && choice ? { playing, choice } : null
}

export async function beginGame(session: Session, goal: Goal): Promise<void> {
  await playTurn(session, { base: scenarioStore(session).getState().scenario, goal, moves: [] }, [], 0)
}

/** Sends a free worker to a stage, or lets it wait. If all are sent, the last one goes there instead. */
export function sendWorker(session: Session, stage: number): void {
  const turn = turnOf(session)
  if (turn === null) return
  const { playing, choice } = turn
  const kept = playing.going.length < choice.free ? playing.going : playing.going.slice(0, -1)
  if (countSentTo(kept, stage) >= (stage === WAIT ? choice.mayWait : choice.open[stage])) return
  gameStore(session).setState({ playing: { ...playing, going: [...kept, stage] } })
}

export function countSentTo(going: readonly number[], stage: number): number {
  return going.filter((each) => each === stage).length
}

/** Takes back the worker that was sent last, or last to this stage. */
export function takeBackWorker(session: Session, stage?: number): void {
  const { playing } = gameStore(session).getState()
  if (playing === null) return
  const at = stage === undefined ? playing.going.length - 1 : playing.going.lastIndexOf(stage)
  gameStore(session).setState({ playing: { ...playing, going: playing.going.filter((_, k) => k !== at) } })
}

/** Accepts the turn once all workers are sent, and plays on to the next turn. */
export async function acceptMoves(session: Session): Promise<void> {
  const turn = turnOf(session)
  if (turn === null || turn.playing.going.length < turn.choice.free) return
  const { choice } = turn
  const { base, goal, game, going, moves } = turn.playing
  const sent = choice.open.map((_, s) => countSentTo(going, s))
  const turns = { base, goal, moves: [...moves, { choice, sent, onward: game.onward }] }
  await playTurn(session, turns, [...allocationsOf(game), seatsFor(choice, sent)], choice.time)
}

export async function undoMove(session: Session): Promise<void> {
  const { playing } = gameStore(session).getState()
  const last = playing?.moves.at(-1)
  if (playing === null || last === undefined) return
  const { choice } = last
  await playTurn(
    session,
    { ...playing, moves: playing.moves.slice(0, -1) },
    allocationsOf(playing.game).slice(0, choice.decision),
    choice.time,
  )
}

/** Shows the run of the game again, after something else was shown. */
export async function showGame(session: Session): Promise<void> {
  const { playing } = gameStore(session).getState()
  if (playing !== null) await present(session, playing.run, playing.game, endOf(playing.run.trace))
}

async function playTurn(
  session: Session,
  { base, goal, moves }: Turns,
  allocations: readonly (readonly number[])[],
  from: Micros,
): Promise<void> {
  const request = requests(session)
  const number = ++request.latest
  const game = await playByHand(base, allocations, Date.now())
  if (number !== request.latest) return
  const { trace, scenario } = game
  const note = t('A game against the scheduler.')
  const run: Run = { scenario, trace, chart: createChart(trace), startedAt: 0, note }
  catchUp(trace)
  extendChart(run.chart)
  gameStore(session).setState({ playing: { base, goal, game, run, moves, going: [] } })
  await present(session, run, game, from)
}

/** Plays from one turn to the next, so that the player sees what happened between them. */
async function present(session: Session, run: Run, { choice }: Game, from: Micros): Promise<void> {
  const end = endOf(run.trace)
  const still = from >= end || matchMedia('(prefers-reduced-motion: reduce)').matches
  await showRun(session, run, still ? end : from)
  if (runStore(session).getState().run !== run) return
  if (choice !== null) runStore(session).setState({ status: () => turnQuestion(choice) })
  if (!still)
    movePlayback(session, { playing: true, speed: Number(Math.max(0.001, (end - from) / SHOWN_US).toPrecision(2)) })
}

/** Returns the question of a turn. */
export function turnQuestion({ free, time }: SeatChoice): string {
  return t('{time}: {free, plural, one {# worker is free} other {# workers are free}}. Where to?', {
    time: clock(time),
    free,
  })
}

function allocationsOf({ scenario: { policy } }: Game): readonly (readonly number[])[] {
  return policy.kind === 'byHand' ? policy.allocations : []
}

/** While the panel is open, a press on a stage's card sends a worker there, and another scenario ends the game. Returns an unsubscribe function. */
export function attendGame(session: Session): () => void {
  let panel = panelStore(session).getState().panel
  const ends = [
    panelStore(session).subscribe((now) => {
      if (scenarioStore(session).getState().selected === null) panel = now.panel
    }),
    scenarioStore(session).subscribe(({ selected, scenario }, before) => {
      const { playing } = gameStore(session).getState()
      if (playing === null) return
      if (scenario !== playing.base) return leaveGame(session)
      const stage = scenario.stages.findIndex(({ id }) => id === selected)
      if (selected === before.selected || stage < 0 || playing.game.choice === null) return
      select(session, null)
      openPanel(session, panel)
      sendWorker(session, stage)
    }),
  ]
  return () => {
    for (const end of ends) end()
    leaveGame(session)
  }
}

export function leaveGame(session: Session): void {
  requests(session).latest++
  gameStore(session).setState({ playing: null })
}

/** Closes the game and takes it out of the address. */
export function closeBeat(session: Session): void {
  beatStore(session).setState({ open: false, toBeat: null })
  dropOption(session.address, 'beat')
}

/** How many stages have a key, 1 to 9, in the order of the pipeline. */
export const MAX_KEYS = 9

/** Keys of a turn: 1 to 9 send a worker, 0 lets one wait, Backspace takes the last back, Enter accepts. Returns an unsubscribe function. */
export function listenToMoves(session: Session): () => void {
  const onKey = (event: KeyboardEvent) => {
    const turn = turnOf(session)
    const { key, target } = event
    if (turn === null || event.ctrlKey || event.metaKey || event.altKey || isField(target) || belongsToDialog(target))
      return
    const stage = /^[1-9]$/.test(key) ? stageNumbers(turn.playing.base)[Number(key) - 1] : undefined
    if (stage !== undefined) sendWorker(session, stage)
    else if (key === '0') sendWorker(session, WAIT)
    else if (key === 'Backspace') takeBackWorker(session)
    else if (key === 'Enter' && turn.playing.going.length === turn.choice.free && enterAccepts(target))
      void acceptMoves(session)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('keydown', onKey, true)
  return () => removeEventListener('keydown', onKey, true)
}

function belongsToDialog(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('dialog, [role=menu]') !== null
}

/** Returns whether Enter accepts the turn: otherwise it presses what has the focus, except a stage that was chosen by number. */
function enterAccepts(target: EventTarget | null): boolean {
  return (
    !(target instanceof HTMLElement) ||
    target === document.body ||
    target.closest('button, a, summary') === null ||
    target.closest('.beat-stage') !== null
  )
}
