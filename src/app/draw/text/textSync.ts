import { isolateHistory, redo as redoText, undo as undoText } from '@codemirror/commands'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { Text, Transaction } from '@codemirror/state'
import type { EditorView, ViewUpdate } from '@codemirror/view'
import { compact } from '../../../scenario/model/compact.ts'
import type { Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { findJsonProblem } from '../../../scenario/parse/json.ts'
import { parseText } from '../../../scenario/parse/parse.ts'
import { formatJson } from '../../../scenario/text/formatJson.ts'
import {
  editOrShowProblems,
  goneShown,
  redo,
  scenarioAsText,
  scenarioStore,
  showProblems,
  undo,
} from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { problemPlace } from '../problems/ProblemList.tsx'
import { outline, spanOf } from './outline.ts'

/** How the text relates to the canvas. */
export interface TextState {
  readonly problems: number
  /** The canvas was changed while the text had changes of its own. The person must choose. */
  readonly apart: boolean
}

/** The pause in typing after which the text is read. */
const SETTLE_MS = 300

export interface TextSync {
  update(update: ViewUpdate): void
  format(): boolean
  undo(): boolean
  redo(): boolean
  takeCanvas(): void
  keepText(): void
  /** Reads what was typed last. Returns the text if the canvas differs from it. */
  close(): string | null
}

export function scenarioText(scenario: Scenario): string {
  return formatJson(compact(scenario))
}

/**
 * Keeps text and scenario the same. A valid text becomes the scenario, a wrong one shows its problems, and another scenario rewrites the
 * text unless that would lose typed text. The page has the history of valid edits; the undo of the editor is only for other changes, such as
 * blanks and wrong text.
 */
export function syncText(session: Session, view: EditorView, tell: (state: TextState) => void): TextSync {
  const store = scenarioStore(session)
  const canvasText = () => scenarioText(scenarioAsText(store.getState()))
  /** The text when it last equalled the canvas. */
  let agreed = Text.of(canvasText().split('\n'))
  let state: TextState = { problems: 0, apart: false }
  let timer: ReturnType<typeof setTimeout> | undefined
  let ownEdit = false

  const setState = (next: Partial<TextState>) => {
    state = { ...state, ...next }
    tell(state)
  }
  const settle = () => {
    clearTimeout(timer)
    timer = undefined
    const text = view.state.doc.toString()
    const parsed = parseText(text)
    const problems = 'problems' in parsed ? parsed.problems : []
    if (state.problems > 0 || problems.length > 0)
      view.dispatch(setDiagnostics(view.state, diagnosticsOf(session, view.state.doc, problems)))
    setState({ problems: problems.length })
    if ('problems' in parsed) showProblems(session, problems)
    else if (!state.apart) {
      ownEdit = true
      if (editOrShowProblems(session, () => parsed.scenario, 'text')) store.setState(goneShown(parsed.scenario))
      ownEdit = false
      agree()
    }
  }
  const settleNow = () => {
    if (timer !== undefined) settle()
  }
  const agree = () => {
    agreed = view.state.doc
    // Later typing is a separate step of undo in the editor.
    view.dispatch({ annotations: isolateHistory.of('full') })
  }
  const takeCanvas = () => {
    clearTimeout(timer)
    timer = undefined
    const before = view.state.doc.toString()
    const after = canvasText()
    view.dispatch({ changes: difference(before, after), annotations: [Transaction.addToHistory.of(false), fromCanvas] })
    if (state.problems > 0) view.dispatch(setDiagnostics(view.state, []))
    setState({ problems: 0, apart: false })
    agree()
  }
  const unfollow = store.subscribe((state, before) => {
    if (scenarioAsText(state) === scenarioAsText(before) || ownEdit) return
    if (view.state.doc.eq(agreed)) takeCanvas()
    else setState({ apart: true })
  })
  // Text with problems from the last time is shown again.
  if (!view.state.doc.eq(agreed)) timer = setTimeout(settle)

  return {
    update({ docChanged, transactions }) {
      if (!docChanged || transactions.some((each) => each.annotation(Transaction.remote))) return
      clearTimeout(timer)
      timer = setTimeout(settle, SETTLE_MS)
    },
    format() {
      const text = view.state.doc.toString()
      const parsed = parseText(text)
      const after =
        'scenario' in parsed
          ? scenarioText(parsed.scenario)
          : findJsonProblem(text) === null
            ? formatJson(JSON.parse(text))
            : text
      view.dispatch({ changes: difference(text, after) })
      settle()
      return true
    },
    undo() {
      settleNow()
      if (!view.state.doc.eq(agreed)) return undoText(view)
      undo(session)
      return true
    },
    redo() {
      settleNow()
      if (store.getState().future.length === 0) return redoText(view)
      redo(session)
      return true
    },
    takeCanvas,
    keepText() {
      setState({ apart: false })
      settle()
    },
    close() {
      settleNow()
      clearTimeout(timer)
      unfollow()
      return view.state.doc.eq(agreed) ? null : view.state.doc.toString()
    },
  }
}

/** Marks changes that came from the canvas, which need not be read back. */
const fromCanvas = Transaction.remote.of(true)

/** Returns only the part that differs, so that cursor and scroll position stay. */
function difference(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from++
  let end = 0
  while (end < shorter - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) }
}

function diagnosticsOf(session: Session, doc: Text, problems: readonly Problem[]): Diagnostic[] {
  const text = doc.toString()
  const fault = problems[0]?.path === '' ? findJsonProblem(text) : null
  if (fault !== null) {
    const { from, text: line } = doc.line(fault.line)
    // Columns are counted in characters as people do.
    const lineStart = Array.from(line).slice(0, fault.column - 1)
    const at = Math.min(from + lineStart.join('').length, Math.max(0, text.length - 1))
    return [{ from: at, to: Math.min(at + 1, text.length), severity: 'error', message: fault.message }]
  }
  const root = outline(text)
  const { scenario } = scenarioStore(session).getState()
  return problems.map((problem) => {
    const { from, to } = spanOf(root, problem.path)
    const message = [problemPlace(problem, scenario), problem.message].filter((words) => words !== '').join(': ')
    return { from: Math.min(from, text.length), to: Math.min(to, text.length), severity: 'error', message }
  })
}
