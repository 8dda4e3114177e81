import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeAll, expect, test, vi } from 'vitest'
import { keepFold } from '../../../../src/app/base/browser/foldState.ts'
import { type WordKey, Words, words, wordsIn } from '../../../../src/app/base/words/Words.tsx'
import { DecisionPanel } from '../../../../src/app/explain/decision/DecisionPanel.tsx'
import { ResultsPanel } from '../../../../src/app/explain/results/ResultsPanel.tsx'
import { installFeatures } from '../../../../src/app/session/features/features.tsx'
import { onScene, paint } from '../../../../src/app/session/page/painter.ts'
import { showRun } from '../../../../src/app/session/run/opening.ts'
import { createRun } from '../../../../src/app/session/run/runStore.ts'
import { SessionProvider } from '../../../../src/app/session/scenario/SessionProvider.tsx'
import { open } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { ComparePanel } from '../../../../src/features/compare/page/ComparePanel.tsx'
import { SweepPanel } from '../../../../src/features/compare/page/SweepPanel.tsx'
import { features } from '../../../../src/features.ts'
import { playTrial } from '../../../../src/runs/play/play.ts'
import { defaultPreset } from '../../../../src/scenario/presets/preset.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'
import { endOf } from '../../../../src/trace/trace.ts'

const session = createSession()

beforeAll(() => {
  installFeatures(session, features)
  session.onEnd(onScene(session, () => {}))
  for (const fold of ['rounds', 'whyNot', 'others', 'costs', 'figures']) keepFold(fold, true)
})

const panels: Readonly<Record<string, readonly [preset: string, there: WordKey, panel: () => ReactNode]>> = {
  'the results and theory': ['four-at-one-queue', 'Erlang', () => <ResultsPanel />],
  'a decision': [defaultPreset.key, 'quotient', () => <DecisionPanel />],
  'a comparison': [defaultPreset.key, 'utilisation', () => <ComparePanel />],
  'What if': [defaultPreset.key, 'target', () => <SweepPanel />],
}
/** They are not text, have a tooltip of their own, or may hold no link. */
const CONTROLS = 'button, summary, select, label, legend, svg, .unseen'

/** Returns the words of a panel, in order; a word whose first occurrence has no tooltip begins with "no ". */
function firstWords(host: HTMLElement): string[] {
  const met = new Map<WordKey, boolean>()
  const nodes = document.createTreeWalker(host, NodeFilter.SHOW_TEXT)
  while (nodes.nextNode()) {
    const { parentElement, textContent } = nodes.currentNode
    if (parentElement === null || parentElement.closest(CONTROLS) !== null) continue
    const term = parentElement.closest<HTMLElement>('a.term')
    for (const { word } of term === null ? wordsIn(textContent ?? '') : [{ word: term.dataset.word as WordKey }])
      if (!met.has(word)) met.set(word, term !== null)
  }
  return [...met].map(([word, marked]) => (marked ? word : `no ${word}`))
}

test.each(Object.keys(panels))('every technical word has its tooltip where it is first met in %s', async (name) => {
  const [preset, there, panel] = panels[name]
  const scenario = presetOf(preset)?.scenario ?? expect.fail('there is no such preset')
  open(session, scenario)
  const run = createRun(await playTrial(scenario, {}))
  await showRun(session, run, endOf(run.trace) / 2)
  paint(session, 16)
  const host = document.createElement('div')
  document.body.append(host)
  const root = createRoot(host)
  root.render(<SessionProvider session={session}>{panel()}</SessionProvider>)
  await vi.waitFor(() => {
    paint(session, 16)
    expect(firstWords(host).map((word) => word.replace('no ', ''))).toContain(there)
  }, 30_000)
  expect(firstWords(host).filter((word) => word.startsWith('no '))).toEqual([])
  for (const { dataset, title, href } of host.querySelectorAll<HTMLAnchorElement>('a.term'))
    expect([title, href]).toEqual([words[dataset.word as WordKey].about(), expect.stringContaining('words.html#')])
  root.unmount()
  host.remove()
})

test('a sentence has one tooltip for each word, and a heading may begin with a label', () => {
  expect(wordsIn('The targets stay the same, and every target is 3.').map(({ word }) => word)).toEqual(['target'])
  expect([wordsIn('work s', true).length, wordsIn('The work of a day').length]).toEqual([1, 0])
})

test('the first tap on a word shows its tooltip, the second opens the docs', async () => {
  const host = document.createElement('div')
  document.body.append(host)
  createRoot(host).render(<Words text="Makespan" />)
  await expect.poll(() => host.querySelector('a')).not.toBeNull()
  const link = host.querySelector('a') ?? expect.fail('there is no link')
  const touch = () =>
    link.dispatchEvent(new PointerEvent('click', { pointerType: 'touch', bubbles: true, cancelable: true }))
  expect(touch()).toBe(false)
  await expect.poll(() => getComputedStyle(link, '::after').content).toContain(words.makespan.about())
  link.target = '_self'
  link.href = '#there'
  expect(touch()).toBe(true)
})
