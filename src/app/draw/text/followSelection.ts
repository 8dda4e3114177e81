import { EditorView, type ViewUpdate } from '@codemirror/view'
import { scenarioStore, select } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { memberOf, outline, unquoted } from './outline.ts'
import { spotOf } from './textPlaces.ts'

/** Selects the stage at the cursor on the canvas, and scrolls to the stage selected there. */
export function followSelection(session: Session, view: EditorView): { update(update: ViewUpdate): void; end(): void } {
  const store = scenarioStore(session)
  const show = (selected: string | null) => {
    if (selected === null || view.hasFocus) return
    const text = view.state.doc.toString()
    const stages = memberOf(outline(text), 'stages')?.value?.members ?? []
    const member = stages.find(({ value }) => {
      const id = memberOf(value, 'id')?.value
      return id != null && unquoted(text.slice(id.from, id.to)) === selected
    })
    if (member === undefined) return
    view.dispatch({ selection: { anchor: member.from }, effects: EditorView.scrollIntoView(member.from, { y: 'start', yMargin: 24 }) })
  }
  const end = store.subscribe(({ selected }, before) => {
    if (selected !== before.selected) show(selected)
  })
  // After the first layout.
  const frame = requestAnimationFrame(() => show(store.getState().selected))
  return {
    update({ state, selectionSet, transactions }) {
      if (!selectionSet || !view.hasFocus || !transactions.some((each) => each.isUserEvent('select'))) return
      const text = state.doc.toString()
      const spot = spotOf(text, outline(text), state.selection.main.head)
      const [part, index] = spot?.keys ?? []
      if (part !== 'stages' || typeof index !== 'number') return
      const id = memberOf(spot?.around[2] ?? null, 'id')?.value
      const named = id == null ? '' : unquoted(text.slice(id.from, id.to))
      const { stages } = store.getState().scenario
      if (stages.some((stage) => stage.id === named)) select(session, named)
    },
    end() {
      cancelAnimationFrame(frame)
      end()
    },
  }
}
