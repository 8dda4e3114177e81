import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { noAddress } from '../../../../src/app/session/address.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { open, scenarioStore } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { ClassPart } from '../../../../src/features/room/host/ClassPart.tsx'
import { type ClassScore, classGame } from '../../../../src/features/room/host/gameRound.ts'
import { type RoomDevice, roomStore } from '../../../../src/features/room/host/hostRoom.ts'
import { roundStore } from '../../../../src/features/room/host/hostRounds.ts'
import { PresentRoom } from '../../../../src/features/room/host/PresentRoom.tsx'
import { ClassBoard } from '../../../../src/features/room/host/RoundState.tsx'
import type { RoomRound, RoundAnswer } from '../../../../src/features/room/protocol/rounds.ts'
import { scenarioWith } from '../../../fixtures/scenarios.ts'
import { removeShown, shownHere, textsOf } from '../../../fixtures/shownHere.tsx'
import { workedExample } from '../../../measures/scenarios.ts'

afterEach(removeShown)

const device = (number: number): RoomDevice => {
  const name = number === 2 ? '<b>Bo</b>' : `Phone ${number}`
  return {
    life: 'l',
    connection: 1,
    name,
    ownName: name,
    id: `d${number}`,
    number,
    build: 'b',
    threads: 2,
    lacks: [],
    roundTrip: null,
  }
}
const devices = [1, 2, 3].map(device)

function sessionOf(devicesThere: readonly RoomDevice[] = devices): Session {
  const session = createSession({ ...noAddress, read: () => new URL('http://192.0.2.7:4000/') })
  roomStore(session).setState({ link: 'up', devices: devicesThere })
  const address = {
    broker: 'ws://h:1/mqtt',
    room: 'R',
    role: 'host',
    token: 'abcdefghijklmnop',
    joinToken: 'ponmlkjihgfedcba',
  } as const
  runStore(session).setState({ room: { address, seats: 6, answers: 0, refusal: () => null } })
  return session
}

const peak = { kind: 'peak', stage: { name: 'Write', colour: 1 }, most: 8 } as const
const asked = (more: Partial<RoomRound & { kind: 'question' }> = {}): RoomRound => ({
  ...{ kind: 'question', round: 'r', open: true, question: peak, right: null },
  ...more,
})
const answers = (...guesses: number[]): ReadonlyMap<string, RoundAnswer> =>
  new Map(guesses.map((guess, k) => [`d${k + 1}`, { kind: 'guess', round: 'r', player: `p${k}`, guess }]))
const game: RoomRound = { kind: 'game', round: 'g', open: true, scenario: '' }
const button = (name: string) => page.getByRole('button', { name, exact: true })
const isThere = (name: string) => button(name).query() !== null

describe('a question to the room', () => {
  test('is asked about the middle stage unless another is chosen, and about the whole run without a stage', async () => {
    const session = sessionOf()
    open(
      session,
      scenarioWith({
        stages: ['Read', 'Parse', 'Write'].map((name, k) => ({ id: 'ABC'[k], name })),
        source: { kind: 'batch', jobs: 9 },
        workers: 3,
      }),
    )
    shownHere(<ClassPart />, session)
    await expect.element(page.getByRole('combobox', { name: 'Stage', exact: true })).toHaveValue('B')
    await button('Ask the room').click()
    const question = () => {
      const { round } = roundStore(session).getState()
      return round?.kind === 'question' ? [round.question, round.open, round.right] : null
    }
    expect(question()).toEqual([
      expect.objectContaining({ kind: 'peak', stage: expect.objectContaining({ name: 'Parse' }) }),
      true,
      null,
    ])
    await button('Withdraw the question').click()
    expect(question()).toBeNull()
    await page.getByRole('combobox', { name: 'Stage', exact: true }).selectOptions('Write')
    await button('Ask the room').click()
    expect(question()?.[0]).toMatchObject({ stage: { name: 'Write' } })
    await button('Withdraw the question').click()
    await page.getByRole('combobox', { name: 'Question', exact: true }).selectOptions('How long the run takes')
    await expect.poll(() => page.getByRole('combobox', { name: 'Stage', exact: true }).query()).toBeNull()
    await button('Ask the room').click()
    expect(question()?.[0]).toEqual({ kind: 'makespan' })
  })

  test('whose stages do not fit into a message is not asked, and the form says so', async () => {
    const session = sessionOf()
    const stages = Array.from({ length: 120 }, (_, k) => ({ id: `s${k}`, name: `${k}${'ü'.repeat(76)}` }))
    open(session, scenarioWith({ stages, source: { kind: 'batch', jobs: 9 }, workers: 3 }))
    const host = shownHere(<ClassPart />, session)
    await page.getByRole('combobox', { name: 'Question', exact: true }).selectOptions('Where jobs wait longest')
    await button('Ask the room').click()
    await expect
      .poll(() => textsOf(host, '[role=alert]'))
      .toEqual(['The names of the stages are too long for one message.'])
    expect(roundStore(session).getState().round).toBeNull()
    await page.getByRole('combobox', { name: 'Question', exact: true }).selectOptions('How long the run takes')
    await button('Ask the room').click()
    expect(roundStore(session).getState().round?.kind).toBe('question')
  })

  test('counts the answers, of how many while it is open; after it has closed the run is awaited', async () => {
    const session = sessionOf()
    roundStore(session).setState({ round: asked(), answers: answers(3, 5) })
    const host = shownHere(<ClassPart />, session)
    expect(textsOf(host, '.class-count')).toEqual(['2 of 3 devices have answered.'])
    expect([isThere('Close and run'), isThere('Run'), isThere('Next round')]).toEqual([true, false, false])
    // More answers than devices: some have left.
    roomStore(session).setState({ devices: [device(1)] })
    await expect.poll(() => textsOf(host, '.class-count')).toEqual(['2 devices have answered.'])
    roundStore(session).setState({ round: asked({ open: false }) })
    await expect
      .poll(() => textsOf(host, '.class-count'))
      .toEqual(['2 devices have answered. The end of the run shows what happened.'])
    expect([isThere('Close and run'), isThere('Run'), isThere('Withdraw the question')]).toEqual([false, true, true])
    runStore(session).setState({ phase: 'running' })
    await expect.poll(() => isThere('Run')).toBe(false)
    expect(isThere('Withdraw the question')).toBe(true)
  })

  test('shows after the run what happened, the guesses, and the nearest by name as text', async () => {
    const session = sessionOf()
    roundStore(session).setState({ round: asked({ open: false, right: [4] }), answers: answers(1, 4, 5) })
    const host = shownHere(<ClassPart />, session)
    expect(textsOf(host, '.class-happened')).toEqual(['At the peak: 4 workers.'])
    await expect
      .poll(() => host.querySelector('.class-histogram')?.getAttribute('aria-label'))
      .toBe('Guesses. 1: 1; 2: 0; 3: 0; 4: 1, what happened; 5: 1')
    expect(textsOf(host, '.class-nearest li')).toEqual(['<b>Bo</b> 4 workers', 'Phone 3 5 workers', 'Phone 1 1 worker'])
    expect(host.querySelectorAll('.class-nearest b')).toHaveLength(0)
    await button('Next round').click()
    expect(roundStore(session).getState()).toEqual({ round: null, answers: new Map(), refused: 0 })
  })

  test('without answers says so, and does not name a device that has left', async () => {
    const session = sessionOf([device(2)])
    roundStore(session).setState({ round: asked({ open: false, right: [4] }) })
    const host = shownHere(<ClassPart />, session)
    expect([host.textContent, host.querySelectorAll('.class-histogram, .class-nearest').length]).toEqual([
      expect.stringContaining('Nobody has answered.'),
      0,
    ])
    roundStore(session).setState({ answers: answers(4), refused: 1 })
    await expect.poll(() => textsOf(host, '.class-nearest li')).toEqual(['a device that has left 4 workers'])
    expect(host.textContent).toContain('1 message could not be read.')
  })
})

describe('a game of the room', () => {
  const score = (number: number, makespan: number): ClassScore => ({
    device: `d${number}`,
    player: `p${number}`,
    games: 1,
    scores: { makespan, flow: 1 },
  })

  test('lists the scores with the scheduler among them, the bound last, and as many as there is room for', async () => {
    const session = sessionOf()
    // The worked example takes 3 s under the scheduler, and no run is shorter.
    const board = [score(1, 2_900_000), score(2, 3_500_000), score(3, 6_000_000), score(4, 7_000_000)]
    classGame(session).setState({ base: workedExample, board, refused: 2 })
    const host = shownHere(<ClassBoard base={workedExample} most={3} />, session)
    await expect
      .poll(
        () =>
          [...host.querySelectorAll('li')].map((row) => [
            row.className,
            ...textsOf(row, 'bdi, span'),
            row.querySelector('i')?.style.width,
          ]),
        {
          timeout: 60_000,
        },
      )
      .toEqual([
        ['player', 'Phone 1', '2.9 s', expect.stringMatching(/^48\.3/)],
        ['rule', 'The scheduler', '3 s', '50%'],
        ['player', '<b>Bo</b>', '3.5 s', expect.stringMatching(/^58\.3/)],
        ['player', 'Phone 3', '6 s', '100%'],
        ['bound', 'Lower bound', '3 s', '50%'],
      ])
    expect(textsOf(host, 'p')).toEqual(['and 1 more', '2 games were against the rules.'])
    classGame(session).setState({ board: board.slice(0, 3), refused: 0 })
    await expect.poll(() => textsOf(host, 'p')).toEqual([])
  })

  test('begins with the scenario on the canvas, is closed by the host, and then makes room for the next round', async () => {
    const session = sessionOf()
    open(session, workedExample)
    const host = shownHere(<ClassPart />, session)
    await expect.element(button('Start the game'), { timeout: 60_000 }).toBeEnabled()
    await button('Start the game').click()
    const round = () => roundStore(session).getState().round
    expect([round()?.kind, round()?.open, classGame(session).getState().base?.title]).toEqual([
      'game',
      true,
      workedExample.title,
    ])
    const before = round()
    await expect.poll(() => host.querySelectorAll('.class-board').length).toBe(1)
    await button('End the game').click()
    expect(round()).toEqual({ ...before, open: false })
    await button('Next round').click()
    expect(round()).toBeNull()
  })

  test('cannot begin on a scenario that cannot be played by hand: the form says why', async () => {
    const session = sessionOf()
    open(
      session,
      scenarioWith({ title: 'Many', stages: [{ id: 'A' }], source: { kind: 'batch', jobs: 9 }, workers: 5000 }),
    )
    const host = shownHere(<ClassPart />, session)
    await expect
      .poll(() => host.textContent, { timeout: 60_000 })
      .toMatch(/Many cannot be played as a game: it has more than \d+ workers\./)
    await expect.element(button('Start the game')).toBeDisabled()
    expect(scenarioStore(session).getState().scenario.workers).toBe(5000)
  })
})

describe('the room on a projector', () => {
  test('shows the code and who is there; with an open question the question too, and without it once it is closed', async () => {
    const session = sessionOf()
    const host = shownHere(<PresentRoom shown={true} show={() => {}} />, session)
    const parts = () =>
      ['.qr-code', '.present-round', '.class-question'].map((selector) => host.querySelectorAll(selector).length)
    expect([parts(), textsOf(host, '[role=status]'), textsOf(host, 'code')]).toEqual([
      [1, 0, 0],
      ['6 workers on 3 devices'],
      [expect.stringContaining('#room=R.ponmlkjihgfedcba')],
    ])
    expect(host.querySelector('.present-room')?.getAttribute('data-asked')).toBe('false')
    roundStore(session).setState({ round: asked() })
    await expect.poll(parts).toEqual([1, 1, 1])
    expect(host.querySelector('.present-room')?.getAttribute('data-asked')).toBe('true')
    roundStore(session).setState({ round: asked({ open: false, right: [2] }) })
    await expect.poll(parts).toEqual([0, 0, 1])
    roundStore(session).setState({ round: null })
    roomStore(session).setState({ devices: [] })
    await expect.poll(() => textsOf(host, '[role=status]')).toEqual(['Nobody is here yet.'])
    roomStore(session).setState({ link: 'down' })
    await expect
      .poll(() => textsOf(host, '[role=status]'))
      .toEqual(['The room’s broker does not answer; trying again.'])
  })

  test('asks to be shown at each question, at its answer and at a game, and not when an answer comes or a question closes', async () => {
    const session = sessionOf()
    let shows = 0
    roundStore(session).setState({ round: asked({ round: 'before' }) })
    shownHere(<PresentRoom shown={false} show={() => shows++} />, session)
    const showsAfter = async (
      state: { readonly round: RoomRound } | { readonly answers: ReadonlyMap<string, RoundAnswer> },
    ) => {
      roundStore(session).setState(state)
      await new Promise((resolve) => setTimeout(resolve, 50))
      return shows
    }
    expect(shows).toBe(0)
    expect(await showsAfter({ round: asked() })).toBe(1)
    expect(await showsAfter({ answers: answers(1) })).toBe(1)
    expect(await showsAfter({ round: asked({ open: false }) })).toBe(1)
    expect(await showsAfter({ round: asked({ open: false, right: [1] }) })).toBe(2)
    expect(await showsAfter({ round: game })).toBe(3)
  })

  test('is not there while it is not shown', () => {
    const session = sessionOf()
    roundStore(session).setState({ round: asked() })
    expect(shownHere(<PresentRoom shown={false} show={() => {}} />, session).textContent).toBe('')
  })

  test('shows the board of a game below its name', async () => {
    const session = sessionOf()
    classGame(session).setState({ base: workedExample, board: Array.from({ length: 10 }, (_, k) => score10(k)) })
    roundStore(session).setState({ round: game })
    const host = shownHere(<PresentRoom shown={true} show={() => {}} />, session)
    await expect.poll(() => host.querySelectorAll('.class-board .player').length).toBe(8)
    expect([textsOf(host, '.class-question'), host.textContent]).toEqual([
      ['Beat the scheduler'],
      expect.stringContaining('and 2 more'),
    ])
  })
})

const score10 = (k: number): ClassScore => ({
  device: `d${k}`,
  player: `p${k}`,
  games: 1,
  scores: { makespan: 3_000_000 + k, flow: 1 },
})
