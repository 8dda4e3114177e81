import { describe, expect, test, vi } from 'vitest'
import { openScenario } from '../../../../src/app/session/run/opening.ts'
import { unreadableLink } from '../../../../src/app/session/scenario/savedCanvas.ts'
import { undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { readFragment } from '../../../../src/scenario/link/codec.ts'
import { jsonLink, workedExample } from '../../../fixtures/scenarios.ts'
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

/** The scenario that a fragment of the address opens. */
function scenarioIn(hash: string): unknown {
  const fragment = readFragment(hash)
  return fragment.found === 'scenario' ? fragment.scenario : fragment
}

eachInMadeUpTime()

describe('the history of the window', () => {
  test('leads Back to the scenario before, as it was left; an edit adds no entry', async () => {
    const { session, address } = openPage()
    const first = titleOf(session)
    openScenario(session, scenarioOf('bursts'))
    await later()
    // Opened at once after an edit: the address had no time to follow.
    fillWorkers(session, 5)
    openScenario(session, scenarioOf('a-tie'))
    await later()
    expect(address.entries()).toHaveLength(3)
    const opened = address.read().href
    fillWorkers(session, 7)
    await later()
    expect(address.read().href).not.toBe(opened)
    address.go(-1)
    await later()
    expect([titleOf(session), workersOf(session)]).toEqual(['Bursts', 5])
    address.go(-1)
    await later()
    expect(titleOf(session)).toBe(first)
    address.go(2)
    await later()
    expect([titleOf(session), workersOf(session)]).toEqual(['A tie', 7])
    expect(address.entries()).toHaveLength(3)
  })

  test('is separate from undo, which restores the scenario that a link replaced', async () => {
    const { session, address } = openPage()
    const before = stagesOf(session)
    address.follow(jsonLink(workedExample))
    await later()
    undo(session)
    expect(stagesOf(session)).toEqual(before)
    await later()
    expect(scenarioIn(address.read().hash)).toMatchObject({ title: titleOf(session) })
  })
})

describe('the address', () => {
  test('is written at most once a second, and at last has the canvas', async () => {
    const { session, address } = openPage()
    for (let n = 2; n <= 13; n++) {
      fillWorkers(session, n)
      await vi.advanceTimersByTimeAsync(200)
    }
    await later()
    const { writes } = address
    expect(writes.length).toBeGreaterThanOrEqual(2)
    for (let k = 1; k < writes.length; k++) expect(writes[k] - writes[k - 1]).toBeGreaterThanOrEqual(1000)
    expect(scenarioIn(address.read().hash)).toMatchObject({ workers: 13 })
  })

  test('is not written while a pointer is pressed: edits wait until it is released', async () => {
    const { session, address } = openPage()
    address.press(true)
    fillWorkers(session, 5)
    await vi.advanceTimersByTimeAsync(5000)
    expect(address.writes).toEqual([])
    address.press(false)
    await later()
    expect(scenarioIn(address.read().hash)).toMatchObject({ workers: 5 })
  })

  test('is read if a link is followed right after another scenario was opened, and then follows the canvas again', async () => {
    const { session, address } = openPage()
    openScenario(session, scenarioOf('bursts'))
    address.follow('#json=%7B%2')
    await later()
    expect(messagesOf(session)).toMatch(/not URI-encoded/)
    expect(titleOf(session)).toBe('Bursts')
    fillWorkers(session, 3)
    await later()
    expect(scenarioIn(address.read().hash)).toMatchObject({ title: 'Bursts', workers: 3 })
  })

  test('of an incomplete link opens nothing, is not changed, and is kept for download', async () => {
    const { session, address } = openPage()
    openScenario(session, scenarioOf('bursts'))
    await later()
    const cut = address.read().hash.slice(0, -7)
    address.follow(cut)
    await later()
    expect(messagesOf(session)).toMatch(/incomplete or damaged.*The link is kept: More, Download unreadable link/)
    expect(canvasOf(session).inPart).toBe(false)
    expect(titleOf(session)).toBe('Bursts')
    expect(unreadableLink(session).latest).toBe(`https://apportion.example/play/${cut}`)
  })
})
