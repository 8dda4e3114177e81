import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { expect, test } from 'vitest'
import { suggest } from '../../../../src/app/draw/text/suggest.ts'
import { scenarioText } from '../../../../src/app/draw/text/textSync.ts'
import { parse } from '../../../../src/scenario/parse/parse.ts'
import { workedExample } from '../../../fixtures/scenarios.ts'

const parsed = parse(workedExample)
if ('problems' in parsed) throw new Error('no scenario')
const text = scenarioText(parsed.scenario)

/** The completions after these words, which follow the number of workers in the text. */
function offered(typed: string, explicit = true) {
  const doc = text.replace('"workers": 2', `"workers": 2${typed}`)
  const pos = doc.indexOf(typed) + typed.length
  return suggest(new CompletionContext(EditorState.create({ doc }), pos, explicit))
}
const labels = (typed: string) => offered(typed)?.options.map(({ label }) => label)

test('a key is completed from the missing keys of the schema, with its meaning', () => {
  expect(labels(', "pol')).toContain('policy')
  expect(labels(', "pol')).not.toContain('workers')
  expect(offered(', "pol', false)?.options.find(({ label }) => label === 'policy')?.info).toMatch(/\w/)
})

test('a word is completed from those that the schema lists', () => {
  expect(labels(', "policy": ')).toEqual(expect.arrayContaining(['leastScore', 'webster']))
})

test('a link is completed with the stages of the text, its source and its exit', () => {
  expect(labels(', "links": [["A", "')?.sort()).toEqual(['A', 'B', 'sink', 'source'])
})

test('a completion replaces all typed text, also later typing, and the closing quote', () => {
  const doc = text.replace('"workers": 2', '"workers": 2, "p"')
  const pos = doc.indexOf('"p"') + 2
  const policy = suggest(new CompletionContext(EditorState.create({ doc }), pos, true))?.options.find(
    ({ label }) => label === 'policy',
  )
  if (policy === undefined || typeof policy.apply !== 'function') throw new Error('policy is not offered')
  let state = EditorState.create({ doc: `${doc.slice(0, pos)}ol${doc.slice(pos)}` })
  const view = { dispatch: (change: TransactionSpec) => (state = state.update(change).state) }
  policy.apply(view as unknown as EditorView, policy, pos - 1, pos + 2)
  expect(state.doc.toString()).toContain('"workers": 2, "policy": \n')
})
