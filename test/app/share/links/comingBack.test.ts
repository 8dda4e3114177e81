import { describe, expect, test } from 'vitest'
import { showBranch } from '../../../../src/app/session/branches/branchStore.ts'
import { commandsOf, registerCommands } from '../../../../src/app/session/commands.ts'
import { unreadableText } from '../../../../src/app/session/scenario/savedCanvas.ts'
import { editOrShowProblems } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { unreadableCommands } from '../../../../src/app/share/files/fileCommands.ts'
import { addLooseStage } from '../../../../src/scenario/edit/edits.ts'
import { jsonLink, workedExample } from '../../../fixtures/scenarios.ts'
import {
  canvasOf,
  eachInMadeUpTime,
  fillWorkers,
  later,
  messagesOf,
  openPage,
  stagesOf,
  workersOf,
} from '../../pages.ts'

const forked = { ...workedExample, title: 'Forked', branches: [{ at: 500_000, title: 'With five', workers: 5 }] }

eachInMadeUpTime()

describe('after a reload', () => {
  test('all edits are restored, however soon the reload comes, and at the next visit too', async () => {
    const first = openPage()
    fillWorkers(first.session, 5)
    await later()
    // The address follows a little later; then it has the earlier edits too.
    expect(first.address.read().hash).toMatch(/^#s=/)
    fillWorkers(first.session, 6)
    const second = first.reload()
    await later()
    expect(workersOf(second.session)).toBe(6)
    second.address.leave()
    expect(workersOf(openPage().session)).toBe(6)
  })

  test('an invalid draft is on the canvas again, beside the latest valid scenario', async () => {
    const first = openPage(jsonLink(workedExample))
    await later()
    editOrShowProblems(first.session, (now) => addLooseStage(now, { x: 0, y: 0 }))
    const { draftProblems } = canvasOf(first.session)
    expect(draftProblems.length).toBeGreaterThan(0)
    const { session } = first.reload()
    await later()
    expect(stagesOf(session)).toHaveLength(3)
    expect(canvasOf(session).draftProblems).toEqual(draftProblems)
    expect(canvasOf(session).scenario.stages).toHaveLength(2)
  })

  test('the branch that was shown is shown again, with its edits', async () => {
    const first = openPage(jsonLink(forked, '&branch=1'))
    await later()
    fillWorkers(first.session, 6)
    const second = first.reload()
    await later()
    expect([canvasOf(second.session).shown, workersOf(second.session)]).toEqual([0, 6])
    showBranch(second.session, null)
    const { session } = second.reload()
    await later()
    expect([canvasOf(session).shown, workersOf(session)]).toEqual([null, 2])
  })
})

test('unreadable texts of earlier visits are reported, stored together, and offered for download', () => {
  const spoilt = ['{"version": 1, "stages": "none"}', '{"version": 1, "stages": "few"}']
  for (const text of spoilt) {
    localStorage.setItem('apportion.scenario', text)
    const { session } = openPage()
    expect(messagesOf(session)).toMatch(/cannot be read.*It is kept/)
    registerCommands(session, unreadableCommands)
    expect(commandsOf(session).map(({ menu }) => menu?.label)).toEqual(['Download unreadable text'])
  }
  expect(unreadableText()).toBe(spoilt.join('\n\n'))
})
