import { beforeEach, describe, expect, test } from 'vitest'
import { openPanel, panelStore } from '../../../src/app/session/page/showing.ts'
import { openScenario } from '../../../src/app/session/run/opening.ts'
import { runStore } from '../../../src/app/session/run/runStore.ts'
import { select } from '../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../src/app/session/session.ts'
import {
  acceptMoves,
  attendGame,
  beginGame,
  countSentTo,
  gameStore,
  leaveGame,
  sendWorker,
  showGame,
  takeBackWorker,
  undoMove,
  WAIT,
} from '../../../src/features/game/game.ts'
import { comparisonWords, playRivals, toBeatWords } from '../../../src/features/game/scores.ts'
import { readFragment, toShortFragment } from '../../../src/scenario/link/codec.ts'
import { presetOf } from '../../../src/scenario/presets/presets.ts'
import { endOf } from '../../../src/trace/trace.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import { pageHere } from '../../fixtures/pageHere.ts'
import { smallGame } from '../../fixtures/scenarios.ts'

pageHere()

const small = valid(smallGame)

let session: Session
const playing = () => gameStore(session).getState().playing ?? expect.fail('no game')
const status = () => runStore(session).getState().status()

/** Sends every free worker to the first of these places that takes one, turn by turn, until the game is over. */
async function playOn(places: readonly number[]): Promise<void> {
  while (playing().game.choice !== null) {
    const { free } = playing().game.choice ?? expect.fail('the game is over')
    for (const place of places)
      for (let n = 0; n < free && playing().going.length < free; n++) sendWorker(session, place)
    await acceptMoves(session)
  }
}

beforeEach(async () => {
  session = createSession()
  openScenario(session, small)
  await beginGame(session, 'makespan')
})

describe('a game against the scheduler', () => {
  test('asks where workers go, hides the future, and continues when all are sent', async () => {
    expect(status()).toMatch(/: \d workers? (is|are) free\. Where to\?$/)
    const { game, run } = playing()
    expect(endOf(run.trace)).toBe(game.choice?.time)
    expect(runStore(session).getState().run).toBe(run)
    await acceptMoves(session)
    expect(playing().moves).toEqual([])
    sendWorker(session, 0)
    takeBackWorker(session)
    expect(playing().going).toEqual([])
    // A stage takes no more workers than can start there; the last one sent goes elsewhere.
    const { free, open } = game.choice ?? expect.fail('there is no choice')
    for (let n = 0; n < free + 3; n++) sendWorker(session, 0)
    expect(countSentTo(playing().going, 0)).toBe(Math.min(free, open[0]))
    takeBackWorker(session, 0)
    sendWorker(session, WAIT)
    expect(playing().going.at(-1)).toBe(WAIT)
    await playOn([0, 1, WAIT])
    expect(playing().moves.length).toBeGreaterThan(0)
    expect(endOf(playing().run.trace)).toBeGreaterThan(endOf(run.trace))
    expect(status()).toMatch(/^Finished: 4 of 4 jobs/)
  })

  test('is compared with the policies and the bound, and its challenge carries the score to beat', async () => {
    await playOn([1, 0, WAIT])
    const rivals = await playRivals(small)
    expect(rivals.scores.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['leastScore', 'jefferson', 'single']))
    const mine = playing().game.onward.makespan
    for (const { scores } of rivals.scores) expect(scores.makespan).toBeGreaterThanOrEqual(rivals.bounds.makespan)
    expect(comparisonWords(playing(), rivals)).toMatch(/^You: .*\. The policy: .*\.$/)
    const read = readFragment(toShortFragment(small, { beat: { goal: 'makespan', score: mine } }))
    const { beat } = read.found === 'scenario' ? read.opening : expect.fail('the challenge cannot be read')
    expect(beat === null ? '' : toBeatWords(mine, beat)).toBe('Not beaten: 0 µs slower.')
    expect(beat === null ? '' : toBeatWords(mine - 1, beat)).toMatch(/^Beaten by /)
  })

  test('undoes a turn, and keeps how each turn differs from the policy', async () => {
    sendWorker(session, WAIT)
    await playOn([0, 1, WAIT])
    const { moves } = playing()
    // First a worker waited despite open work.
    expect(moves[0].sent).not.toEqual(moves[0].choice.rule)
    await undoMove(session)
    expect(playing().moves).toHaveLength(moves.length - 1)
    expect(playing().game.choice?.decision).toBe(moves.at(-1)?.choice.decision)
  })

  test('sends a worker by a press on a card, keeps the open panel, and ends with another scenario', async () => {
    openPanel(session, 'figures')
    const end = attendGame(session)
    select(session, 'A')
    expect(playing().going).toEqual([0])
    expect(panelStore(session).getState().panel).toBe('figures')
    openScenario(session, presetOf('worked-example')?.scenario ?? expect.fail('no preset'))
    expect(gameStore(session).getState().playing).toBeNull()
    end()
  })

  test('returns to the screen after another run', async () => {
    const { run } = playing()
    runStore(session).setState({ run: null })
    await showGame(session)
    expect(runStore(session).getState().run).toBe(run)
    leaveGame(session)
    expect(gameStore(session).getState().playing).toBeNull()
  })
})
