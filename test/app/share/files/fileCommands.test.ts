import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { showBranch } from '../../../../src/app/session/branches/branchStore.ts'
import type { Commands } from '../../../../src/app/session/commands.ts'
import { createRun, runStore } from '../../../../src/app/session/run/runStore.ts'
import { unreadableLink } from '../../../../src/app/session/scenario/savedCanvas.ts'
import { open } from '../../../../src/app/session/scenario/scenarioStore.ts'
import type { Session } from '../../../../src/app/session/session.ts'
import {
  exportCommands,
  inputCommands,
  openCommands,
  scenarioFileCommands,
  unreadableCommands,
} from '../../../../src/app/share/files/fileCommands.ts'
import { playSimulation } from '../../../../src/runs/play/play.ts'
import { compact } from '../../../../src/scenario/model/compact.ts'
import { writeTraceJson } from '../../../../src/trace/formats/traceJson.ts'
import { createTrace } from '../../../../src/trace/trace.ts'
import { downloadsHere } from '../../../fixtures/downloadsHere.ts'
import { madeUpStorage } from '../../../fixtures/madeUpStorage.ts'
import { pageSession } from '../../../fixtures/pageSession.ts'
import { scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'
import { canvasOf, messagesOf, titleOf } from '../../pages.ts'

const example = scenarioWith(workedExample)
const trace = await playSimulation(example, 0)
const statusOf = (session: Session) => runStore(session).getState().status()

const named = (session: Session, commands: Commands, name: string) =>
  commands(session).find((each) => each.name === name) ?? expect.fail(name)
const act = (session: Session, commands: Commands, name: string) => named(session, commands, name).act?.()

let downloads: ReturnType<typeof downloadsHere>
beforeEach(() => {
  downloads = downloadsHere()
  madeUpStorage()
  threadsHere()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the commands that save a run', () => {
  const all = [
    'downloadTrace',
    'downloadEvents',
    'downloadDecisions',
    'downloadDecision',
    'saveSVG',
    'savePNG',
    'savePage',
  ]
  const enabledIn = (session: Session) =>
    exportCommands(session).flatMap(({ name, enabled }) => (enabled ? [name] : []))

  test('are there only with a run, and that of a decision only once there is one', async () => {
    const session = pageSession()
    expect(enabledIn(session)).toEqual([])
    runStore(session).setState({ run: createRun(createTrace(example, 'simulation', 0)) })
    expect(enabledIn(session)).toEqual(all.filter((name) => name !== 'downloadDecision'))
    const one = await playSimulation(
      scenarioWith({ source: { kind: 'batch', jobs: 1 }, stages: [{ id: 'A' }], workers: 1 }),
      0,
    )
    expect(one.decisions.length).toBe(1)
    for (const played of [one, trace]) {
      runStore(session).setState({ run: createRun(played) })
      expect(enabledIn(session)).toEqual(all)
    }
  })
})

describe('the scenario', () => {
  test('is saved with its branches, whichever of them is on the canvas', async () => {
    const session = pageSession()
    const forked = scenarioWith({
      ...workedExample,
      title: 'Forked',
      branches: [{ at: 500_000, title: 'With five', workers: 5 }],
    })
    open(session, forked)
    expect(named(session, scenarioFileCommands, 'downloadScenario').menu).toMatchObject({
      section: 'export',
      label: 'Download scenario',
    })
    for (const shown of [null, 0]) {
      showBranch(session, shown)
      await vi.dynamicImportSettled()
      await expect.poll(() => canvasOf(session).shown).toBe(shown)
      await act(session, scenarioFileCommands, 'downloadScenario')
      expect((await downloads.texts()).at(-1)).toEqual({
        name: 'forked.scenario.json',
        type: 'application/json',
        text: JSON.stringify(compact(forked), null, 2),
      })
    }
  })
})

describe('a file that a person chooses', () => {
  const choose = async (commands: Commands, name: string, file: File) => {
    const session = pageSession()
    downloads.choose(file)
    await act(session, commands, name)
    return session
  }
  const recorded = () => new File([...writeTraceJson(trace)], 'run.json')
  const stored = () => new File([JSON.stringify(workedExample)], 'scenario.json')

  test.each([
    [openCommands, 'openTrace', 'Open a trace'],
    [inputCommands, 'openFile', 'Open a file'],
  ])('may be a trace, which opens with its run: case %#', async (commands, name, label) => {
    const session = await choose(commands, name, recorded())
    await expect.poll(() => statusOf(session)).toMatch(/Recorded in run\.json\.$/)
    expect([titleOf(session), named(session, commands, name).menu]).toEqual([
      'Worked example',
      expect.objectContaining({ section: 'files', label }),
    ])
  })

  test('is refused by Open a trace if it is a scenario', async () => {
    const session = await choose(openCommands, 'openTrace', stored())
    await expect.poll(() => messagesOf(session)).toMatch(/is not a part of a trace.*\(in scenario\.json\)/)
    expect(titleOf(session)).not.toBe('Worked example')
  })
})

describe('what could not be read', () => {
  test.each([
    ['', 'A link'],
    ['A text', ''],
    ['A text', 'A link'],
  ])('is saved as text, each under its own name and from its own menu: %j and %j', async (text, link) => {
    const session = pageSession()
    localStorage.setItem('apportion.unreadable', text)
    unreadableLink(session).latest = link
    const commands = unreadableCommands(session)
    expect(commands.map(({ name, menu }) => [name, menu?.section, menu?.label])).toEqual([
      ['unreadableText', 'unreadable', 'Download unreadable text'],
      ['unreadableLink', 'link', 'Download unreadable link'],
    ])
    for (const { act } of commands) await act?.()
    expect(await downloads.texts()).toEqual([
      { name: 'apportion-unreadable.txt', type: 'text/plain', text },
      { name: 'apportion-link.txt', type: 'text/plain', text: link },
    ])
  })
})
