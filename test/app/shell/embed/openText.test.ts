import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runStore } from '../../../../src/app/session/run/runStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { openText } from '../../../../src/app/shell/embed/openText.ts'
import { jsonLink, workedExample } from '../../../fixtures/scenarios.ts'
import { endingOf, threadsHere } from '../../../fixtures/threadsHere.ts'
import { canvasOf, ended, scenarioOf, stagesOf, titleOf } from '../../pages.ts'

const other = { ...workedExample, title: 'Other', stages: [{ id: 'Z' }] }

let threads: ReturnType<typeof threadsHere>
beforeEach(() => {
  threads = threadsHere()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('a frame opens a link, a text and an example by name, and does not play them by itself', async () => {
  const session = createSession()
  expect(await openText(session, `https://apportion.example/${jsonLink(workedExample)}`, null)).toEqual([])
  expect(titleOf(session)).toBe('Worked example')
  expect(await openText(session, JSON.stringify(other), null)).toEqual([])
  expect(stagesOf(session)).toEqual(['Z'])
  expect(await openText(session, 'bursts', null)).toEqual([])
  expect(canvasOf(session).scenario).toBe(scenarioOf('bursts'))
  expect([runStore(session).getState().phase, threads.startedCount()]).toEqual(['idle', 0])
})

test('an unreadable text is reported, and the page does not change', async () => {
  const session = createSession()
  const before = canvasOf(session).whole
  const problemsOf = async (text: string) =>
    (await openText(session, text, 'simulation')).map(({ path, message }) => `${path}: ${message}`).join()
  expect(await problemsOf('{"version":1,"stages":[]}')).toMatch(/stages: .*allowed/)
  expect(await problemsOf('no-such-example')).toMatch(/^scenario: allowed: a link, JSON, or the name of an example/)
  expect(await problemsOf(jsonLink(workedExample, '&t=soon'))).toMatch(/&t= is "soon"/)
  expect(await problemsOf('#s=1abcdeK0zS')).toMatch(/incomplete or damaged/)
  expect([canvasOf(session).whole, threads.startedCount()]).toEqual([before, 0])
})

test('code of a stage or of a policy never begins by itself, also where the link or the page around asks for the run', async () => {
  const stage = { ...workedExample, stages: [{ id: 'A', work: { code: 'export default (n) => n' } }] }
  const policy = { ...workedExample, policy: { kind: 'code', source: 'export default () => [1]' } }
  for (const [scenario, engine] of [
    [stage, 'threads'],
    [policy, 'simulation'],
  ] as const)
    for (const [link, run] of [
      [jsonLink(scenario, `&run=${engine}`), null],
      [jsonLink(scenario), engine],
    ] as const) {
      const session = createSession()
      expect(await openText(session, link, run)).toEqual([])
      await Promise.resolve()
      expect([runStore(session).getState().phase, threads.startedCount()]).toEqual(['idle', 0])
    }
  // The simulation takes the declared times and runs no code of stages.
  const simulated = createSession()
  await openText(simulated, jsonLink(stage), 'simulation')
  await ended(simulated)
  expect(endingOf(simulated)).toMatch(/^Finished/)
})

test('an example opens with the engine that shows it best, unless the page around asks for another', async () => {
  const session = createSession()
  expect(await openText(session, 'log-lines', null)).toEqual([])
  expect([canvasOf(session).scenario, runStore(session).getState().engine]).toEqual([
    scenarioOf('log-lines'),
    'threads',
  ])
  expect(await openText(session, 'bursts', null)).toEqual([])
  expect(runStore(session).getState().engine).toBe('simulation')
  const asked = createSession()
  await openText(asked, 'log-lines', 'simulation')
  expect(runStore(asked).getState().engine).toBe('simulation')
})

test('a text that is empty, or a link without a scenario, is refused as one', async () => {
  for (const text of ['', ' ', '#', 'https://apportion.example/', 'https://apportion.example/#'])
    expect(await openText(createSession(), text, null), text).toEqual([
      { path: 'scenario', message: 'allowed: a link, JSON, or the name of an example' },
    ])
})
