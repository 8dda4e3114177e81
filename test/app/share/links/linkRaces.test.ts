import { describe, expect, test, vi } from 'vitest'
import { openDialog } from '../../../../src/app/session/page/showing.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { keepEngine } from '../../../../src/app/session/scenario/savedCanvas.ts'
import { openStep } from '../../../../src/app/share/links/backSteps.ts'
import { toAskFragment } from '../../../../src/scenario/link/codec.ts'
import { jsonLink, scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'
import {
  canvasOf,
  eachInMadeUpTime,
  fillWorkers,
  later,
  messagesOf,
  openPage,
  scenarioOf,
  titleOf,
  workersOf,
} from '../../pages.ts'

const link = jsonLink(workedExample)

eachInMadeUpTime()

describe('a link that is followed while the address is being written', () => {
  test('for an edit is opened, and its entry keeps its own fragment', async () => {
    const { session, address } = openPage()
    fillWorkers(session, 5)
    // The write is due and fetches the writer of links.
    vi.advanceTimersByTime(1000)
    address.follow(link)
    await later()
    expect([titleOf(session), address.read().hash, address.entries().length]).toEqual(['Worked example', link, 2])
  })

  test.each([
    ['an edit', (session: ReturnType<typeof openPage>['session']) => fillWorkers(session, 5)],
    [
      'another scenario',
      (session: ReturnType<typeof openPage>['session']) => openScenario(session, scenarioOf('bursts')),
    ],
  ])('is not overwritten by what was due for %s, even before the page hears of it', async (_, act) => {
    const { session, address } = openPage()
    act(session)
    vi.advanceTimersByTime(1000)
    address.write('#s=another', 'replace')
    await later()
    expect(address.entries()).toEqual(['https://apportion.example/play/#s=another'])
  })

  test('loses to a later link, of which alone the page reads the scenario', async () => {
    const { session, address } = openPage()
    address.follow(jsonLink({ ...workedExample, title: 'First' }))
    address.follow(jsonLink({ ...workedExample, title: 'Second' }))
    await later()
    expect(titleOf(session)).toBe('Second')
    expect(canvasOf(session).past).toHaveLength(1)
  })
})

describe('the history of the window', () => {
  test('gets an entry for a scenario that is opened after a link was read', async () => {
    const { session, address } = openPage(link)
    await later()
    openScenario(session, scenarioOf('bursts'))
    await later()
    expect(address.entries()).toHaveLength(2)
    address.go(-1)
    await later()
    expect(titleOf(session)).toBe('Worked example')
    expect(address.read().hash).toBe(link)
  })

  test('closes a dialog on Back once, and leaves the one below it', async () => {
    const { session, address } = openPage()
    await later()
    const closings: string[] = []
    const open = (name: string) => {
      openDialog(session, name)
      const end = openStep(session, () => {
        closings.push(name)
        end()
      })
    }
    open('about')
    await later()
    open('keys')
    await later()
    expect(address.entries()).toHaveLength(3)
    address.go(-1)
    await later()
    expect(closings).toEqual(['keys'])
    address.go(-1)
    await later()
    expect(closings).toEqual(['keys', 'about'])
  })
})

describe('after a reload', () => {
  test('a scenario keeps the engine that it was opened with, though its address was not written yet', async () => {
    const first = openPage()
    await later()
    openScenario(first.session, scenarioOf('log-lines'), 'threads')
    const { session } = first.reload()
    await later()
    expect([titleOf(session), runStore(session).getState().engine]).toEqual([titleOf(first.session), 'threads'])
    expect(runStore(session).getState().chosenEngine).toBe('simulation')
  })

  test('a link that was being left for another is not mixed with the canvas', async () => {
    const first = openPage(link)
    await later()
    fillWorkers(first.session, 6)
    const other = jsonLink({ ...workedExample, title: 'Other', workers: 3 })
    first.address.follow(other)
    const { session } = first.reload()
    await later()
    expect([titleOf(session), workersOf(session)]).toEqual(['Other', 3])
  })
})

describe('what an earlier visit left', () => {
  const visited = async (workers: number) => {
    const { session, address } = openPage()
    fillWorkers(session, workers)
    await later()
    address.leave()
    session.end()
  }

  test('comes with the engine that the person chose', () => {
    keepEngine('threads')
    expect(runStore(openPage().session).getState()).toMatchObject({ engine: 'threads', chosenEngine: 'threads' })
  })

  test.each(['#s=1abcdeK0zS', '#hello'])('comes below the problem of a link that cannot be read: %s', async (bad) => {
    await visited(7)
    const { session } = openPage(bad)
    await later()
    expect(workersOf(session)).toBe(7)
    expect(messagesOf(session)).toContain('The link is kept')
  })

  test('comes below the question of a link, which leaves the history alone', async () => {
    await visited(7)
    const ask = toAskFragment({
      scenario: scenarioWith(workedExample),
      asked: [3, 0].map((waiting) => ({ waiting, mean: 5, done: false })),
    })
    const { session, address } = openPage(ask)
    await later()
    expect(workersOf(session)).toBe(7)
    expect(address.entries()).toHaveLength(1)
  })

  test('comes once: a bad link that is followed later does not bring it back over what was done since', async () => {
    await visited(7)
    const { session, address } = openPage()
    expect(workersOf(session)).toBe(7)
    fillWorkers(session, 9)
    address.follow('#hello')
    await vi.dynamicImportSettled()
    expect([workersOf(session), messagesOf(session)]).toEqual([9, expect.stringContaining('#hello')])
  })
})

describe('the address', () => {
  test('waits a moment after an edit, for the next one', async () => {
    const { session, address } = openPage()
    await vi.advanceTimersByTimeAsync(5000)
    fillWorkers(session, 5)
    await vi.advanceTimersByTimeAsync(290)
    expect(address.writes).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(800)
    expect(address.writes).toHaveLength(1)
  })
})
