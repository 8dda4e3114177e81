import { describe, expect, test, vi } from 'vitest'
import { openDialog, showingStore } from '../../../../src/app/session/page/showing.ts'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { keepEngine } from '../../../../src/app/session/scenario/savedCanvas.ts'
import { redo, undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { followAddress } from '../../../../src/app/share/links/address.ts'
import { openStep } from '../../../../src/app/share/links/backSteps.ts'
import { foreignCodeNotice } from '../../../../src/app/share/links/openLink.ts'
import { toAskFragment, toShortFragment } from '../../../../src/scenario/link/codec.ts'
import { type MadeUpAddress, madeUpAddress } from '../../../fixtures/madeUpAddress.ts'
import { pageSession } from '../../../fixtures/pageSession.ts'
import { jsonLink, scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'
import {
  canvasOf,
  eachInMadeUpTime,
  fillWorkers,
  later,
  messagesOf,
  openPage,
  scenarioOf,
  stagesOf,
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

  test('for a scenario that was opened is opened, and its entry keeps its own fragment', async () => {
    const { session, address } = openPage()
    openScenario(session, scenarioOf('bursts'))
    address.follow(`${link}&panel=figures`)
    await later()
    expect([titleOf(session), address.read().hash, address.entries().length]).toEqual([
      'Worked example',
      `${link}&panel=figures`,
      2,
    ])
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

describe('a page that has ended', () => {
  test.each([
    ['an edit', (session: ReturnType<typeof openPage>['session']) => fillWorkers(session, 5)],
    [
      'another scenario',
      (session: ReturnType<typeof openPage>['session']) => openScenario(session, scenarioOf('bursts')),
    ],
  ])('writes nothing of %s to the address, and leaves no timer behind', async (_, act) => {
    const { session, address } = openPage()
    await later()
    const timers = vi.getTimerCount()
    act(session)
    session.end()
    expect(vi.getTimerCount()).toBeLessThanOrEqual(timers)
    await later()
    expect([address.writes, address.read().hash]).toEqual([[], ''])
  })

  test('hears neither links nor that the window is left', async () => {
    const { session, address } = openPage()
    await later()
    session.end()
    sessionStorage.removeItem('apportion.left')
    address.follow(link)
    await later()
    address.leave()
    expect([sessionStorage.getItem('apportion.left'), address.read().hash]).toEqual([null, link])
  })
})

describe('the history of the window', () => {
  test('gets no entry from undo and redo of an opening', async () => {
    const { session, address } = openPage()
    openScenario(session, scenarioOf('bursts'))
    await later()
    for (let k = 0; k < 3; k++) {
      undo(session)
      await later()
      redo(session)
      await later()
    }
    expect([titleOf(session), address.entries().length]).toEqual(['Bursts', 2])
  })

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

  test('keeps the words of a link in its entry when another scenario is opened', async () => {
    const { session, address } = openPage(`${link}&panel=figures`)
    await later()
    openScenario(session, scenarioOf('bursts'))
    await later()
    expect(address.entries()[0]).toBe(`https://apportion.example/play/${link}&panel=figures`)
  })

  test('whose entries have data of another script is followed all the same', async () => {
    for (const foreign of ['text', 7, { at: 4 }, { dialog: 'open' }, { scroll: [0, 5] }]) {
      const address = madeUpAddress(link)
      address.write(link, 'replace', foreign)
      const { session } = openPage('', address)
      await later()
      expect(titleOf(session)).toBe('Worked example')
      expect(address.state()).toEqual({ at: 0, front: false, dialog: null, name: null })
      openScenario(session, scenarioOf('bursts'))
      await later()
      expect(address.state()).toMatchObject({ at: 1, dialog: null })
      address.write(address.read().href, 'push', foreign)
      address.go(-1)
      address.go(1)
      await later()
      expect(address.state()).toMatchObject({ at: 2, dialog: null })
      session.end()
    }
  })

  test('has the entry of a link that is followed one above the one before', async () => {
    const { address } = openPage()
    address.follow(link)
    await later()
    expect(address.state()).toEqual({ at: 1, front: false, dialog: null, name: null })
  })

  test('has no entry for a dialog that was closed at once', async () => {
    const { session, address } = openPage()
    await later()
    const closed = openStep(session, () => {})
    closed()
    await later()
    expect(address.entries()).toHaveLength(1)
  })

  test('after a reload has a closed dialog in the place of an open one, which the next opening replaces', async () => {
    const first = openPage(link)
    await later()
    openDialog(first.session, 'about')
    openStep(first.session, () => openDialog(first.session, null))
    await later()
    expect(first.address.state()).toMatchObject({ at: 1, dialog: 'open', name: 'about' })
    const { session, address } = first.reload()
    await later()
    expect(address.state()).toEqual({ at: 1, front: false, dialog: 'closed', name: null })
    expect(showingStore(session).getState().dialog).toBeNull()
    openScenario(session, scenarioOf('bursts'))
    await later()
    expect([address.state(), address.entries().length]).toEqual([{ at: 1, front: false, dialog: null, name: null }, 2])
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

describe('several dialogs that are open at once', () => {
  /** Two dialogs, one over the other, and which of them Back has closed. */
  async function twoOpen() {
    const page = openPage()
    await later()
    const closings: string[] = []
    const ends: (() => void)[] = []
    for (const name of ['about', 'keys']) {
      openDialog(page.session, name)
      const end = openStep(page.session, () => {
        closings.push(name)
        end()
      })
      ends.push(end)
      await later()
    }
    return { ...page, closings, ends }
  }

  test('are all closed by a step back over all of them, each once', async () => {
    const { address, closings } = await twoOpen()
    address.go(-2)
    await later()
    expect(closings.sort()).toEqual(['about', 'keys'])
  })

  test('are closed by Back as long as they are open, in whatever order they were closed', async () => {
    const { address, closings, ends } = await twoOpen()
    ends[0]()
    address.go(-1)
    await later()
    expect(closings).toEqual(['keys'])
  })
})

describe('after a reload', () => {
  /** A page whose address was written once for 5 workers and then for 6, and the first of these addresses. */
  async function twiceWritten() {
    const page = openPage(link)
    await later()
    fillWorkers(page.session, 5)
    await later()
    const { hash } = page.address.read()
    fillWorkers(page.session, 6)
    await later()
    expect(page.address.read().hash).not.toBe(hash)
    return { ...page, hash }
  }

  test.each([
    [20_000, 6],
    [40_000, 5],
  ])(
    'the address that was there when it began is that of the canvas, if another was written at most half a minute before: %d ms',
    async (ms, workers) => {
      const { session, address, hash } = await twiceWritten()
      await vi.advanceTimersByTimeAsync(ms)
      address.leave()
      session.end()
      address.write(hash, 'replace')
      const again = openPage('', address)
      await later()
      expect(workersOf(again.session)).toBe(workers)
    },
  )

  test('its canvas is not shown for the same link at a later time', async () => {
    const first = openPage(link)
    await later()
    fillWorkers(first.session, 6)
    const { session, address } = first.reload()
    await later()
    expect(workersOf(session)).toBe(6)
    address.follow(jsonLink({ ...workedExample, title: 'Other' }))
    await later()
    address.follow(link)
    await later()
    expect([titleOf(session), workersOf(session)]).toEqual(['Worked example', 2])
  })

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

  test('never comes over the scenario of a link, if a bad one is followed from there', async () => {
    await visited(7)
    const { session, address } = openPage(link)
    await vi.dynamicImportSettled()
    expect(titleOf(session)).toBe('Worked example')
    address.follow('#hello')
    await vi.dynamicImportSettled()
    expect([titleOf(session), workersOf(session), messagesOf(session)]).toEqual([
      'Worked example',
      2,
      expect.stringContaining('#hello'),
    ])
  })

  test('never comes if the page goes to its bare address after a link', async () => {
    await visited(7)
    const { session, address } = openPage(link)
    await vi.dynamicImportSettled()
    address.write('#', 'push')
    address.follow('')
    await vi.dynamicImportSettled()
    expect([titleOf(session), workersOf(session)]).toEqual(['Worked example', 2])
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

  test('is written a second after that of another scenario, and not before', async () => {
    const { session, address } = openPage()
    await vi.advanceTimersByTimeAsync(5000)
    openScenario(session, scenarioOf('bursts'))
    await vi.advanceTimersByTimeAsync(0)
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(0)
    fillWorkers(session, 5)
    await later()
    const [, opened, edited, ...more] = address.writes
    expect([opened, more]).toEqual([5000, []])
    expect(edited - opened).toBeGreaterThanOrEqual(1000)
  })

  test.each([
    ['as it was followed', false],
    ['written after an edit', true],
  ])(
    'is not read again when Back closes a dialog over it: the run and what can be undone stay, %s',
    async (_, edited) => {
      const { session, address } = openPage(`${link}&panel=figures`)
      await later()
      if (edited) fillWorkers(session, 5)
      await later()
      const { opened, past, whole } = canvasOf(session)
      const status = () => 'A run stands here.'
      runStore(session).setState({ status })
      openDialog(session, 'about')
      const end = openStep(session, () => {
        openDialog(session, null)
        end()
      })
      await later()
      address.go(-1)
      await later()
      expect(showingStore(session).getState().dialog).toBeNull()
      expect([
        canvasOf(session).opened,
        canvasOf(session).past,
        canvasOf(session).whole,
        runStore(session).getState().status,
      ]).toEqual([opened, past, whole, status])
    },
  )

  test('is followed again by a page that had stopped to follow it', async () => {
    const session = pageSession(madeUpAddress())
    for (let k = 0; k < 2; k++) followAddress(session)()
    session.onEnd(followAddress(session))
    const address = session.address as MadeUpAddress
    address.follow(link)
    await later()
    expect(titleOf(session)).toBe('Worked example')
    fillWorkers(session, 5)
    await later()
    expect(address.read().hash).toMatch(/^#s=/)
  })

  test('is left as it is while only the page around the canvas changes', async () => {
    const { session, address } = openPage(link)
    await later()
    openDialog(session, 'about')
    openDialog(session, null)
    await later()
    expect([address.read().hash, address.writes]).toEqual([link, []])
  })

  test('of a link with wrong words opens the scenario and says what was left out', async () => {
    const { session } = openPage(`${link}&t=soon`)
    await later()
    expect([titleOf(session), messagesOf(session), canvasOf(session).inPart]).toEqual([
      'Worked example',
      expect.stringContaining('&t= is "soon"'),
      true,
    ])
  })

  test('stands for the branch that its link shows: that alone writes nothing', async () => {
    const forked = { ...workedExample, branches: [{ at: 500_000, title: 'With five', workers: 5 }] }
    const short = toShortFragment(scenarioWith(forked), { branch: 0 })
    const { session, address } = openPage(short)
    await later()
    expect([canvasOf(session).shown, address.read().hash, address.writes]).toEqual([0, short, []])
  })
})

describe('the status line of a link', () => {
  const nothing = { at: null, range: null, decision: null }

  test.each([
    [nothing, /sandbox\.$/],
    [{ ...nothing, at: 1_500_000 }, /stops at 1\.5/],
    [{ ...nothing, at: 0 }, /stops at 0/],
    [{ ...nothing, range: [2_500_000, 9_000_000] as const }, /stops at 2\.5/],
    [{ ...nothing, decision: 0 }, /stops at decision 1\.$/],
    [{ at: 1_500_000, range: [2_500_000, 9_000_000] as const, decision: 4 }, /stops at 1\.5/],
    [{ ...nothing, range: [2_500_000, 9_000_000] as const, decision: 4 }, /stops at 2\.5/],
  ])('with code of its author says where Run will stop: %j', (opening, words) => {
    expect(foreignCodeNotice(opening)).toMatch(words)
  })

  test.each([
    ['policy', [{ kind: 'policy' }], 'hides the policy'],
    ['service time', [{ kind: 'service', stage: 'A' }], 'hides the service time of "A"'],
  ])('that hides a %s says so', async (_, hidden, words) => {
    const { session } = openPage(jsonLink({ ...workedExample, hidden }))
    await later()
    expect(runStore(session).getState().status()).toContain(words)
  })

  test('that hides nothing is that of any scenario', async () => {
    const { session } = openPage(link)
    await later()
    expect([runStore(session).getState().status(), stagesOf(session)]).toEqual(['Ready. Press Run.', ['A', 'B']])
  })
})
