import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Game, movesOf, playByHand, seatsFor } from '../../../../src/features/game/byHand.ts'
import { createAnswering } from '../../../../src/features/room/join/joining.ts'
import { RoundCard } from '../../../../src/features/room/join/RoundCard.tsx'
import type { Carrier } from '../../../../src/features/room/protocol/carrier.ts'
import {
  type RoomQuestion,
  type RoomRound,
  type RoundAnswer,
  readAnswer,
} from '../../../../src/features/room/protocol/rounds.ts'
import { toShortFragment } from '../../../../src/scenario/link/codec.ts'
import { stateBefore } from '../../../../src/trace/trace.ts'
import { duration } from '../../../../src/views/drawing/format.ts'
import { scenarioWith, smallGame } from '../../../fixtures/scenarios.ts'
import { removeShown, shownHere, textsOf } from '../../../fixtures/shownHere.tsx'

afterEach(removeShown)

/** The card of a device whose host has told this round, and the answers that it has sent. */
function cardOf(round: RoomRound) {
  const sent: RoundAnswer[] = []
  const carrier: Carrier = {
    publish: (_, bytes) => void sent.push(readAnswer(bytes) as RoundAnswer),
    subscribe() {},
    onState() {},
    end() {},
  }
  const answering = createAnswering('p')
  answering.attend(carrier, 'R', 'd')
  const tell = (round: RoomRound | null) => answering.store.setState({ round })
  tell(round)
  const host = shownHere(<RoundCard answering={answering} />)
  return { host, tell, sent, guesses: () => sent.map((answer) => (answer.kind === 'guess' ? answer.guess : null)) }
}

const peak: RoomQuestion = { kind: 'peak', stage: { name: 'Write', colour: 1 }, most: 6 }
const longest: RoomQuestion = {
  kind: 'longestWait',
  stages: ['Read', 'Write', 'Send'].map((name, colour) => ({ name, colour })),
}
const asked = (question: RoomQuestion, more: Partial<RoomRound & { kind: 'question' }> = {}): RoomRound => ({
  ...{ kind: 'question', round: 'r', open: true, question, right: null },
  ...more,
})
const button = (name: string) => page.getByRole('button', { name, exact: true })

describe('a question on a device', () => {
  test('takes a number, says what was sent, and lets it be changed until the run begins', async () => {
    const { host, tell, guesses } = cardOf(asked(peak))
    expect(textsOf(host, 'h2')).toEqual([
      expect.stringMatching(/^How many workers will be busy at .?Write.? at once, at its peak\?$/),
    ])
    const field = page.getByRole('textbox', { name: 'Workers' })
    await expect.element(field).toHaveValue('')
    await field.fill('7')
    await button('Send').click()
    expect([guesses(), textsOf(host, '[role=alert]')]).toEqual([[], ['Allowed: a whole number, 0 to 6.']])
    await expect.element(field).toHaveAttribute('aria-invalid', 'true')
    await field.fill('6')
    await userEvent.keyboard('{Enter}')
    await expect.poll(guesses).toEqual([6])
    expect([textsOf(host, '.join-message'), host.querySelectorAll('input').length]).toEqual([
      ['You said 6 workers.'],
      0,
    ])
    await button('Change my answer').click()
    await expect.element(field).toHaveValue('6')
    expect([textsOf(host, '.join-message'), host.querySelectorAll('.join-second').length]).toEqual([[], 0])
    await field.fill('0')
    await button('Send').click()
    await expect.poll(() => textsOf(host, '.join-message')).toEqual(['You said 0 workers.'])
    expect(guesses()).toEqual([6, 0])
    tell(asked(peak, { open: false }))
    await expect.poll(() => host.querySelectorAll('button, input').length).toBe(0)
    expect(host.textContent).toContain('The run has begun. Its end shows how near you were.')
    tell(asked(peak, { open: false, right: [0] }))
    await expect
      .poll(() => [textsOf(host, '.join-happened'), textsOf(host, '.good')])
      .toEqual([['At the peak: 0 workers.'], ['Exactly right.']])
    expect(host.textContent).not.toContain('The run has begun')
  })

  test('that was not answered in time says so, and after the run only what happened', async () => {
    const { host, tell } = cardOf(asked(peak, { open: false }))
    expect(host.textContent).toContain('The run has begun: no more answers.')
    expect(host.querySelectorAll('input, button')).toHaveLength(0)
    tell(asked(peak, { open: false, right: [3] }))
    await expect.poll(() => textsOf(host, '[aria-live] p')).toEqual(['At the peak: 3 workers.'])
  })

  test('about the length of a run takes seconds, and gives them back to be changed', async () => {
    const { host, tell, guesses } = cardOf(asked({ kind: 'makespan' }))
    const field = page.getByRole('textbox', { name: 'Seconds' })
    await field.fill('soon')
    await button('Send').click()
    expect(textsOf(host, '[role=alert]')).toEqual(['Allowed: a number of seconds.'])
    await field.fill('12,5')
    await button('Send').click()
    await expect.poll(guesses).toEqual([12_500_000])
    await button('Change my answer').click()
    await expect.element(field).toHaveValue('12.5')
    tell(asked({ kind: 'makespan' }, { open: false, right: [10_000_000] }))
    await expect
      .poll(() => textsOf(host, '[aria-live] p'))
      .toEqual(['The run took 10 s.', 'You said 12.5 s: 25% too long.'])
    expect(host.querySelectorAll('.good')).toHaveLength(0)
  })

  test('about the longest wait has a button for each stage, in its colour', async () => {
    const { host, guesses } = cardOf(asked(longest))
    const buttons = [...host.querySelectorAll<HTMLElement>('.join-choices button')]
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['Read', 'Write', 'Send'])
    expect(new Set(buttons.map(({ style }) => style.background)).size).toBe(3)
    await button('Send').click()
    await expect.poll(guesses).toEqual([2])
  })

  test('is replaced by the next one, with an empty field; without a round nothing is shown', async () => {
    const { host, tell } = cardOf(asked(peak))
    await page.getByRole('textbox', { name: 'Workers' }).fill('4')
    tell(asked(peak, { round: 'next' }))
    await expect.element(page.getByRole('textbox', { name: 'Workers' })).toHaveValue('')
    tell(null)
    await expect.poll(() => host.textContent).toBe('')
  })
})

describe('a game on a device', () => {
  const base = scenarioWith(smallGame)
  const scenario = toShortFragment(base)
  const playing: RoomRound = { kind: 'game', round: 'g', open: true, scenario }
  const places = (host: HTMLElement) => [...host.querySelectorAll<HTMLButtonElement>('.join-places button')]

  test('that cannot be read says so', async () => {
    const { host } = cardOf({ ...playing, scenario: '#s=nothing' })
    await expect
      .poll(() => textsOf(host, '.warning'), { timeout: 60_000 })
      .toEqual(['This page cannot read the game. Load the page again.'])
  })

  test('is played turn by turn as the same game by hand is: places, free workers, and at the end the moves and the score', async () => {
    const { host, sent } = cardOf(playing)
    const first = await playByHand(base, [], 0)
    let [moves, turns]: [readonly (readonly number[])[], number] = [[], 0]
    let game: Game = first
    for (; game.choice !== null; turns++) {
      const { choice, trace, choices } = game
      await expect
        .poll(() => textsOf(host, '.soft')[0], { timeout: 60_000 })
        .toMatch(new RegExp(`^Turn ${turns + 1} of about ${choices} · `))
      const { waiting, finished } = stateBefore(trace, trace.length).counts
      for (const s of [0, 1]) {
        const about = [
          `${waiting[s]} waiting`,
          `${choice.busy[s]} at work`,
          finished[s] === 0 ? 'never measured' : '',
        ].join(' · ')
        expect(textsOf(places(host)[s], 'strong, .soft')).toEqual([base.stages[s].name, expect.stringContaining(about)])
        expect(textsOf(places(host)[s], '.soft')[0].endsWith(' per job')).toBe(finished[s] > 0)
      }
      expect([places(host).length, textsOf(host, 'strong')[2]]).toEqual(
        choice.mayWait > 0 ? [3, 'Nowhere'] : [2, undefined],
      )
      // The last place first: where nothing more fits it is disabled.
      const sentTo = [0, 0]
      let last = 2
      for (let left = choice.free; left > 0; left--) {
        expect(textsOf(host, 'p[aria-live]')).toEqual([
          left === 1 ? '1 worker is free. Where to?' : `${left} workers are free. Where to?`,
        ])
        await expect.element(button('Continue')).toBeDisabled()
        const room = choice.open.map((n, s) => n - sentTo[s])
        expect(
          places(host)
            .slice(0, 2)
            .map(({ disabled }) => disabled),
        ).toEqual(room.map((n) => n <= 0))
        const k = room[1] > 0 ? 1 : 0
        if (room[k] <= 0) break
        places(host)[k].click()
        last = k
        sentTo[k]++
        await expect.poll(() => places(host)[k].querySelector('b')?.textContent).toBe(`+${sentTo[k]} sent here`)
      }
      for (let idle = choice.free - sentTo[0] - sentTo[1]; idle > 0; idle--) {
        places(host)[2].click()
        last = 2
      }
      await expect.poll(() => textsOf(host, 'p[aria-live]')).toEqual(['All are sent.'])
      expect(places(host).every(({ disabled }) => disabled)).toBe(true)
      if (turns === 0) {
        await button('Take back').click()
        await expect.element(button('Continue')).toBeDisabled()
        expect(textsOf(host, 'p[aria-live]')).toEqual(['1 worker is free. Where to?'])
        places(host)[last].click()
      }
      await button('Continue').click()
      const { policy } = game.scenario
      moves = [...(policy.kind === 'byHand' ? policy.allocations : []), seatsFor(choice, sentTo)]
      game = await playByHand(base, moves, 0)
      expect(turns).toBeLessThan(30)
    }
    await expect.poll(() => sent.length, { timeout: 60_000 }).toBe(1)
    expect(sent[0]).toMatchObject({ kind: 'moves', round: 'g', player: 'p', seats: movesOf(game) })
    const [mine, rule] = [game.onward.makespan, first.onward.makespan]
    const words =
      mine < rule
        ? /^You beat the scheduler: it takes/
        : mine === rule
          ? /^The scheduler takes the same time\./
          : /^The scheduler takes /
    expect([textsOf(host, 'h2')[0], textsOf(host, 'p[aria-live]')[0]]).toEqual([
      expect.stringMatching(/^All jobs are done after /),
      expect.stringMatching(words),
    ])
    expect(host.querySelectorAll('.good')).toHaveLength(mine < rule ? 1 : 0)
    await button('Play again').click()
    await expect.poll(() => textsOf(host, '.soft')[0]).toMatch(/^Turn 1 of about /)
    await expect.element(button('Take back')).toBeDisabled()
  })

  test('takes back the last choice; a worker that is alone cannot stay idle', async () => {
    const stages = ['Cut', 'Sew'].map((id) => ({ id, service: { kind: 'constant', mean: 1_000_000 } }))
    const even = (workers: number): RoomRound => ({
      ...playing,
      scenario: toShortFragment(scenarioWith({ ...smallGame, stages, workers })),
    })
    const { host } = cardOf(even(2))
    await expect.poll(() => textsOf(host, 'strong'), { timeout: 60_000 }).toEqual(['Cut', 'Sew', 'Nowhere'])
    const sent = () => places(host).map((place) => place.querySelector('b') !== null)
    for (const k of [1, 0]) {
      places(host)[k].click()
      await expect.poll(() => sent()[k]).toBe(true)
    }
    await button('Take back').click()
    await expect.poll(sent).toEqual([false, true, false])
    removeShown()
    const alone = cardOf(even(1))
    await expect.poll(() => textsOf(alone.host, 'strong'), { timeout: 60_000 }).toEqual(['Cut', 'Sew'])
  })

  test('that takes longer than the scheduler shows the time of the scheduler', async () => {
    const { host } = cardOf(playing)
    const { onward } = await playByHand(base, [], 0)
    for (let turn = 1; turn < 40 && textsOf(host, 'h2')[0]?.startsWith('All jobs') !== true; turn++) {
      await expect.poll(() => textsOf(host, '.soft')[0], { timeout: 60_000 }).toMatch(new RegExp(`^Turn ${turn} of`))
      for (const left = () => places(host).filter(({ disabled }) => !disabled); left().length > 0; ) {
        left().at(-1)?.click()
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await button('Continue').click()
      await expect
        .poll(
          () =>
            /^(All jobs|Turn)/.test(textsOf(host, 'h2')[0] ?? '') ||
            textsOf(host, '.soft')[0]?.startsWith(`Turn ${turn + 1} of`),
        )
        .toBe(true)
    }
    expect(textsOf(host, 'p[aria-live]')).toEqual([`The scheduler takes ${duration(onward.makespan)}.`])
    expect(host.querySelectorAll('.good')).toHaveLength(0)
  })

  test('that the host has ended takes no more moves', async () => {
    const { host, tell } = cardOf(playing)
    await expect.poll(() => places(host).length, { timeout: 60_000 }).toBeGreaterThan(0)
    tell({ ...playing, open: false })
    await expect.poll(() => host.textContent).toBe('The host has ended the game.')
  })
})
