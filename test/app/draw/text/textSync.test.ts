import { history } from '@codemirror/commands'
import { forEachDiagnostic } from '@codemirror/lint'
import { EditorState, type TransactionSpec } from '@codemirror/state'
import type { EditorView, ViewUpdate } from '@codemirror/view'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { scenarioText, syncText, type TextState, type TextSync } from '../../../../src/app/draw/text/textSync.ts'
import { open, redo, scenarioAsText, scenarioStore, undo } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { scenarioWith, workedExample } from '../../../fixtures/scenarios.ts'
import { fillWorkers, messagesOf, stagesOf, workersOf } from '../../pages.ts'

interface Editor {
  readonly ways: TextSync
  readonly session: Session
  text(): string
  standing(): TextState
  /** The underlined parts, each with its message. */
  marks(): readonly string[]
  /** Replaces the first of these words, or all of them, and pauses until the text is read. */
  type(text: string, at?: string): void
}

/** An editor without a window, on a canvas with the worked example. */
function openEditor(session = createSession(), left?: string): Editor {
  if (left === undefined) {
    const parsed = scenarioWith(workedExample)
    open(session, parsed)
  }
  let standing: TextState = { problems: 0, apart: false }
  let ways: TextSync | null = null
  const doc = left ?? scenarioText(scenarioAsText(scenarioStore(session).getState()))
  const view = {
    state: EditorState.create({ doc, extensions: [history()] }),
    dispatch(spec: TransactionSpec) {
      const made = 'startState' in spec ? (spec as ReturnType<EditorState['update']>) : view.state.update(spec)
      view.state = made.state
      ways?.update({ docChanged: made.docChanged, transactions: [made] } as unknown as ViewUpdate)
    },
  }
  ways = syncText(session, view as unknown as EditorView, (next) => {
    standing = next
  })
  const text = () => view.state.doc.toString()
  return {
    ways,
    session,
    text,
    standing: () => standing,
    marks() {
      const found: string[] = []
      forEachDiagnostic(view.state, ({ message }, from, to) =>
        found.push(`${view.state.sliceDoc(from, to)}: ${message}`),
      )
      return found
    },
    type(insert, at) {
      const from = at === undefined ? 0 : text().indexOf(at)
      if (from < 0) throw new Error(`the text has no ${at}`)
      view.dispatch({
        changes: { from, to: at === undefined ? view.state.doc.length : from + at.length, insert },
        userEvent: 'input.type',
      })
      vi.advanceTimersByTime(1000)
    },
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('text and canvas are kept the same', () => {
  test('typed text changes the canvas, the canvas changes the text, and one undo reverts either', () => {
    const { ways, session, text, type } = openEditor()
    const store = scenarioStore(session)
    const names = () => store.getState().scenario.stages.map(({ name }) => name)
    type('"id": "A", "name": "Parse"', '"id": "A"')
    expect(names()).toEqual(['Parse', 'B'])
    fillWorkers(session, 5)
    expect(text()).toContain('"workers": 5')
    // With the key in the text: first the change of the form, then the typing.
    ways.undo()
    expect([workersOf(session), text().includes('"workers": 2')]).toEqual([2, true])
    ways.undo()
    expect([names(), text().includes('Parse')]).toEqual([['A', 'B'], false])
    ways.redo()
    expect([names(), text().includes('Parse')]).toEqual([['Parse', 'B'], true])
    undo(session)
    expect(text()).not.toContain('Parse')
    redo(session)
    expect(text()).toContain('Parse')
  })

  test('an invalid text does not change the canvas; its problems are underlined until they are fixed', () => {
    const { ways, session, marks, standing, type } = openEditor()
    type('"workers": 29999', '"workers": 2')
    expect(messagesOf(session)).toContain('found 29999; allowed: a whole number from 1 to 10,000')
    expect(marks()).toEqual([expect.stringMatching(/^"workers": 29999: .*found 29999/)])
    expect([workersOf(session), standing().problems]).toEqual([2, 1])
    // Typing that never became a scenario is undone by the history of the text.
    ways.undo()
    vi.advanceTimersByTime(1000)
    expect([messagesOf(session), marks(), standing().problems]).toEqual(['', [], 0])
    type('"workers": 2,,', '"workers": 2')
    expect(messagesOf(session)).toContain('a key in double quotes')
    expect(marks()).toHaveLength(1)
  })

  test('a text without spaces is rewritten in the format of the page, with the same meaning', () => {
    const { ways, session, text, type } = openEditor()
    type('{"version":1,"stages":[{"id":"C"}],"workers":3}')
    expect(stagesOf(session)).toEqual(['C'])
    ways.format()
    expect(text().split('\n')).toHaveLength(5)
    expect(stagesOf(session)).toEqual(['C'])
  })
})

describe('a drawing that is changed while the text is wrong', () => {
  const wrong = '{ "version": 1, "stages": [{ "id": "C" }], "workers": 0 }'

  test('waits for a decision, and may replace the text', () => {
    const { ways, session, text, standing, marks, type } = openEditor()
    type(wrong)
    fillWorkers(session, 7)
    expect([standing().apart, text()]).toEqual([true, wrong])
    ways.takeCanvas()
    expect(text()).toContain('"workers": 7')
    expect([standing(), marks()]).toEqual([{ problems: 0, apart: false }, []])
  })

  test('is replaced by the text once it is valid, if the text is kept', () => {
    const { ways, session, text, standing, type } = openEditor()
    type(wrong)
    fillWorkers(session, 6)
    ways.keepText()
    expect([standing(), text()]).toEqual([{ problems: 1, apart: false }, wrong])
    expect(workersOf(session)).toBe(6)
    type('"workers": 3', '"workers": 0')
    expect([workersOf(session), stagesOf(session)]).toEqual([3, ['C']])
  })

  test('does not change the text, which opens again as it was, with its problems', () => {
    const first = openEditor()
    first.type(wrong)
    expect(first.ways.close()).toBe(wrong)
    const { text, marks, standing } = openEditor(first.session, wrong)
    vi.advanceTimersByTime(1000)
    expect([text(), marks().length, standing().problems]).toEqual([wrong, 1, 1])
    // A text with the same meaning is not stored.
    expect(openEditor().ways.close()).toBeNull()
  })
})
