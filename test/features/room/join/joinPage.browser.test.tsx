import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { JoinPage } from '../../../../src/features/room/join/JoinPage.tsx'
import { createAnswering, createJoin, type Joining } from '../../../../src/features/room/join/joining.ts'
import { storedName } from '../../../../src/features/room/join/ownDevice.ts'
import type { Carrier } from '../../../../src/features/room/protocol/carrier.ts'
import type { LenderState } from '../../../../src/features/room/protocol/lender.ts'
import type { RoomRound } from '../../../../src/features/room/protocol/rounds.ts'
import type { RoomAddress } from '../../../../src/runs/remote/remoteEngine.ts'
import { removeShown, shownHere, textsOf } from '../../../fixtures/shownHere.tsx'

const ends: (() => void)[] = []
beforeEach(() => localStorage.clear())
afterEach(() => {
  removeShown()
  for (const end of ends.splice(0)) end()
  localStorage.clear()
})

const room: RoomAddress = { broker: 'ws://h:1/mqtt', room: 'R', role: 'join', token: 'abcdefghijklmnop' }

/** The page of a device that may lend up to 4 threads. `tell` says what has become of its loan. */
function joined({ address = room as RoomAddress | Error, name = '', threads = 2 } = {}) {
  const carrier: Carrier = { publish() {}, subscribe() {}, onState() {}, end() {} }
  const lent: string[] = []
  let tell = (_: LenderState) => {}
  const answering = createAnswering('p')
  const join = createJoin(
    address,
    { name, threads },
    {
      open: async () => carrier,
      lend(_, { name, threads }, changed) {
        lent.push(`${name} ${threads}`)
        tell = changed
        return { leave() {} }
      },
      answering,
      newId: () => 'd',
    },
  )
  ends.push(() => join.end())
  const host = shownHere(<JoinPage join={join} answering={answering} most={4} />)
  const main = host.querySelector('main') as HTMLElement
  return {
    ...{ host, main, join, answering, lent },
    phase: (): Joining['phase'] => join.store.getState().phase,
    tell: (more: Partial<LenderState>) => tell({ up: true, workers: [], stage: null, done: 0, ...more }),
    ask: (round: RoomRound | null) => answering.store.setState({ round, mine: null }),
  }
}

const makespan: RoomRound = { kind: 'question', round: 'r', open: true, question: { kind: 'makespan' }, right: null }
const button = (name: string) => page.getByRole('button', { name, exact: true })

describe('the page of a device', () => {
  test('of a damaged link says so and offers nothing', () => {
    const { host } = joined({ address: new Error('The token is missing.') })
    expect([textsOf(host, 'h1'), textsOf(host, '.join-where'), host.querySelectorAll('button, input').length]).toEqual([
      ['This link does not lead to a room.'],
      ['The token is missing.'],
      0,
    ])
  })

  test('enters, leaves and returns by its button', async () => {
    const { join, phase } = joined()
    join.enter()
    await button('Leave the room').click()
    expect(phase()).toBe('left')
    await button('Return to the room').click()
    await expect.poll(phase).toBe('in')
    await expect.element(button('Leave the room')).toBeVisible()
  })

  test('has the colour of its stage while it works there, and the page’s own while it is in reserve or cut off', async () => {
    const { join, main, tell, phase, host } = joined()
    join.enter()
    await expect.poll(phase).toBe('in')
    expect(main.style.background).toBe('')
    tell({ workers: [2], stage: { name: 'Enrich', colour: 2 }, done: 3 })
    await expect.poll(() => main.style.background).not.toBe('')
    expect([textsOf(host, 'h1'), textsOf(host, '.join-where'), textsOf(host, '.join-done')]).toEqual([
      ['You are worker 3.'],
      ['You are at Enrich.'],
      ['3 jobs done.'],
    ])
    const first = main.style.background
    tell({ workers: [2], stage: { name: 'Write', colour: 3 } })
    await expect.poll(() => [main.style.background !== '', main.style.background !== first]).toEqual([true, true])
    tell({ up: false, workers: [2], stage: { name: 'Write', colour: 3 } })
    await expect.poll(() => main.style.background).toBe('')
    expect(textsOf(host, '.join-foot > [role=status]')).toContain('The connection is lost. Trying again.')
    tell({ workers: [], stage: { name: 'Write', colour: 3 } })
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(main.style.background).toBe('')
  })

  test('shows a round while it is in the room only', async () => {
    const { join, main, ask, phase, host } = joined()
    ask(makespan)
    expect([main.dataset.asked, host.querySelectorAll('.join-round').length]).toEqual(['false', 0])
    join.enter()
    await expect.poll(phase).toBe('in')
    ask(makespan)
    await expect.poll(() => [main.dataset.asked, host.querySelectorAll('.join-round').length]).toEqual(['true', 1])
    join.leave()
    await expect.poll(() => [main.dataset.asked, host.querySelectorAll('.join-round').length]).toEqual(['false', 0])
    join.enter()
    await expect.poll(phase).toBe('in')
    ask(makespan)
    await expect.poll(() => main.dataset.asked).toBe('true')
    ask(null)
    await expect.poll(() => [main.dataset.asked, host.querySelectorAll('.join-round').length]).toEqual(['false', 0])
  })

  test('takes a name and a number of threads, each when it is typed, and returns as another device only if one has changed', async () => {
    const { join, lent, host } = joined()
    join.enter()
    await expect.poll(() => lent).toEqual([' 2'])
    expect(textsOf(host, 'summary')).toEqual(['This device: 2 threads of 4'])
    await page.elementLocator(host.querySelector('summary') as HTMLElement).click()
    const [name, threads] = [
      page.getByLabelText('Your name, if the host may see it'),
      page.getByLabelText('Threads, 1 to 4'),
    ]
    await name.fill('  Ada  ')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => lent).toEqual([' 2', 'Ada 2'])
    expect([storedName(), textsOf(host, 'summary')]).toEqual(['Ada', ['Ada: 2 threads of 4']])
    await expect.element(name).toHaveValue('Ada')
    // Nothing has changed.
    await name.fill('Ada ')
    await userEvent.tab()
    await expect.element(name).toHaveValue('Ada')
    for (const wrong of ['0', '5', '', '-1']) {
      await threads.fill(wrong)
      await userEvent.tab()
      await expect.element(threads).toHaveValue(2)
    }
    expect(lent).toHaveLength(2)
    await threads.fill('4')
    await userEvent.tab()
    await expect.poll(() => lent).toEqual([' 2', 'Ada 2', 'Ada 4'])
    await threads.fill('1')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => lent.at(-1)).toBe('Ada 1')
    expect(textsOf(host, 'summary')).toEqual(['Ada: 1 thread of 4'])
    await name.fill('x'.repeat(60))
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => lent.at(-1)).toBe(`${'x'.repeat(40)} 1`)
    await name.fill('')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => lent.at(-1)).toBe(' 1')
    expect([storedName(), localStorage.length]).toEqual(['', 0])
  })
})
