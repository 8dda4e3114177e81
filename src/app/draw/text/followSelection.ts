import { EditorView, type ViewUpdate } from '@codemirror/view'
import { scenarioStore, select } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { memberOf, outline, textOf } from './outline.ts'
import { spotOf } from './textPlaces.ts'

/** Selects the stage at the cursor on the canvas, and scrolls to the stage selected there. */
export function followSelection(session: Session, view: EditorView): { update(update: ViewUpdate): void; end(): void } {
  const store = scenarioStore(session)
  const show = (selected: string | null) => {
    if (selected === null || view.hasFocus) return
    const text = view.state.doc.toString()
    const stages = memberOf(outline(text), 'stages')?.value?.members ?? []
    const member = stages.find(({ value }) => textOf(text, value, 'id') === selected)
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
      const named = textOf(text, spot?.around[2] ?? null, 'id')
      const stage = store.getState().scenario.stages.find(({ id }) => id === named)
      if (stage !== undefined) select(session, stage.id)
    },
    end() {
      cancelAnimationFrame(frame)
      end()
    },
  }
}
