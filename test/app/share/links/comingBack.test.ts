import { describe, expect, test } from 'vitest'
import { showBranch } from '../../../../src/app/session/branches/branchStore.ts'
import { commandsOf, registerCommands } from '../../../../src/app/session/commands.ts'
import { chooseEngine } from '../../../../src/app/session/run/opening.ts'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { unreadableText } from '../../../../src/app/session/scenario/savedCanvas.ts'
import { editOrShowProblems } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { unreadableCommands } from '../../../../src/app/share/files/fileCommands.ts'
import { addLooseStage } from '../../../../src/scenario/edit/edits.ts'
import { jsonLink, workedExample } from '../../../fixtures/scenarios.ts'
import { canvasOf, eachInMadeUpTime, fillWorkers, later, messagesOf, openPage, stagesOf, titleOf, workersOf } from '../../pages.ts'

const forked = { ...workedExample, title: 'Forked', branches: [{ at: 500_000, title: 'With five', workers: 5 }] }

eachInMadeUpTime()

describe('after a reload', () => {
  test('what was edited is there again, however soon that comes, and at the next visit too', async () => {
    const first = openPage()
    fillWorkers(first.session, 5)
    await later()
    // The address follows a little later; from then on it, too, says what was edited before.
    expect(first.address.read().hash).toMatch(/^#s=/)
    fillWorkers(first.session, 6)
    const second = first.reload()
    await later()
    expect(workersOf(second.session)).toBe(6)
    second.address.leave()
    expect(workersOf(openPage().session)).toBe(6)
  })

  test('a drawing that cannot be played yet is on the canvas again, beside what can be played', async () => {
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

  test('the engine is the one that was chosen', async () => {
    const first = openPage(jsonLink(workedExample))
    await later()
    chooseEngine(first.session, 'threads')
    const { session } = first.reload()
    await later()
    expect(runStore(session).getState().engine).toBe('threads')
  })

  test('a branch that was shown is shown, with what was edited in it', async () => {
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

  test('a link is read that was followed and left before it could be', async () => {
    const first = openPage()
    first.address.follow(jsonLink(workedExample))
    const { session } = first.reload()
    await later()
    expect(stagesOf(session)).toEqual(['A', 'B'])
  })
})

test('unreadable texts of earlier visits are reported, set aside one below the other, and offered for download', () => {
  const spoilt = ['{"version": 1, "stages": "none"}', '{"version": 1, "stages": "few"}']
  for (const text of spoilt) {
    localStorage.setItem('apportion.scenario', text)
    const { session } = openPage()
    expect(messagesOf(session)).toMatch(/cannot be read.*set aside/)
    registerCommands(session, unreadableCommands)
    expect(commandsOf(session).map(({ menu }) => menu?.label)).toEqual(['Download unreadable text'])
  }
  expect(unreadableText()).toBe(spoilt.join('\n\n'))
})

test('a link that is opened counts more than what the last visit kept', async () => {
  const first = openPage()
  fillWorkers(first.session, 5)
  first.address.leave()
  const { session } = openPage(jsonLink(workedExample))
  await later()
  expect([titleOf(session), workersOf(session)]).toEqual(['Worked example', 2])
})
