import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { controlStore } from '../../../../src/app/base/page/hiddenControls.ts'
import { commandsOf, registerCommands } from '../../../../src/app/session/commands.ts'
import { installFeatures, seriesOf } from '../../../../src/app/session/features/features.tsx'
import { scenarioStore } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { registerAllCommands } from '../../../../src/app/shell/features/coreCommands.ts'
import { paletteCommands } from '../../../../src/app/watch/shortcuts/keyboard.ts'
import { commandEntries, presetEntries, searchEntries } from '../../../../src/app/watch/shortcuts/PaletteDialog.tsx'
import { ladders } from '../../../../src/features/lessons/content/lessons.ts'
import { features } from '../../../../src/features.ts'
import { pageHere } from '../../../fixtures/pageHere.ts'

let session: Session
const labels = (query: string) =>
  searchEntries([...commandEntries(session), ...presetEntries(session, [])], query).map(({ label }) => label)

beforeEach(() => {
  pageHere()
  session = createSession()
  installFeatures(session, features)
  registerAllCommands(session)
  registerCommands(session, paletteCommands)
})

afterEach(() => {
  controlStore.setState({ hidden: new Set() })
  vi.unstubAllGlobals()
})

test('the palette lists every command, except two that are only a second key of another', () => {
  const listed = new Set(commandEntries(session).map(({ name }) => name))
  expect(commandsOf(session).flatMap(({ name, act }) => (act === undefined || listed.has(name) ? [] : [name]))).toEqual(
    ['redoToo', 'handoutKey'],
  )
})

test('each entry has its own name and its keys, and is disabled if it cannot be done now', () => {
  const entries = commandEntries(session)
  expect(new Set(entries.map(({ label }) => label)).size).toBe(entries.length)
  const named = (label: string) => entries.find((entry) => entry.label === label)
  expect(named('Redo')?.keys).toEqual(['Ctrl', 'Shift', 'Z'])
  expect(named('Next decision')?.keys).toEqual(['.'])
  expect(named('Download trace')).toMatchObject({ section: 'Export', disabled: true })
  expect(named('Lessons')).toMatchObject({ section: 'Learn', disabled: false })
})

test('words are found in any case and order, in the section too, and labels come first', () => {
  expect(labels('TRACE down')[0]).toBe('Download trace')
  expect(labels('learn').slice(0, 3)).toEqual(['Lessons', 'Gallery', 'Beat the scheduler'])
  expect(labels('picture')[0]).toMatch(/picture/i)
  expect(labels('no such thing')).toEqual([])
})

test('every scenario of the gallery is opened from it', async () => {
  const series = await seriesOf(session)
  const all = [...Object.values(ladders).flat(), ...series.flatMap(({ presets }) => presets.map(({ key }) => key))]
  const entries = presetEntries(session, series)
  expect(all.filter((key) => !entries.some(({ name }) => name === `scenario ${key}`))).toEqual([])
  for (const title of ['Cold start', ...series.map(({ presets }) => presets[0].title)]) {
    searchEntries(entries, title.toLowerCase())[0].act()
    expect(scenarioStore(session).getState().scenario.title).toBe(title)
  }
})

test('hidden controls are not offered', () => {
  controlStore.setState({ hidden: new Set(['presets', 'editing']) })
  const all = labels('')
  for (const label of ['Lessons', 'New pipeline', 'Undo', 'Cold start']) expect(all).not.toContain(label)
  expect(all).toContain('Download trace')
})
