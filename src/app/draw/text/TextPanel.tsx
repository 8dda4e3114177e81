import { useEffect, useRef, useState } from 'react'
import { Button } from '../../base/controls/Button.tsx'
import { useLanguage } from '../../base/page/language.ts'
import { part, type Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { scenarioText, syncText, type TextState, type TextSync } from './textSync.ts'
import './text.css'
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bidiIsolates, bracketMatching, foldGutter, foldKeymap, indentOnInput } from '@codemirror/language'
import { linter, lintKeymap, nextDiagnostic } from '@codemirror/lint'
import { openSearchPanel, search, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { EditorView, highlightActiveLine, highlightSpecialChars, keymap, type ViewUpdate } from '@codemirror/view'
import { t } from '../../../language/translate.ts'
import { scenarioAsText, scenarioStore, select } from '../../session/scenario/scenarioStore.ts'
import { editorTheme, phrases } from './editorTheme.ts'
import { memberOf, outline, spotOf, textOf } from './outline.ts'
import { meaningAtPointer, suggest } from './suggest.ts'

/** A text that had problems when the panel closed. It is shown again when the panel opens. */
const unfinishedText = part((): { text: string | null } => ({ text: null }))

/** The scenario as JSON. An edit of the text changes the canvas, and the other way round. */
export function TextPanel() {
  const session = useSession()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<TextEditor | null>(null)
  const [{ problems, apart }, setStanding] = useState<TextState>({ problems: 0, apart: false })
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor has texts in its language
  useEffect(() => {
    if (host.current === null) return
    const opened = openEditor(
      session,
      host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' }),
      unfinishedText(session).text,
      setStanding,
    )
    editor.current = opened
    return () => {
      unfinishedText(session).text = opened.close()
      editor.current = null
    }
  }, [language, session])
  const tools: readonly (readonly [text: string, keys: string, act: () => void])[] = [
    [t('Format'), 'Shift Alt F', () => editor.current?.format()],
    [t('Find'), 'Ctrl F', () => editor.current?.find()],
  ]
  const showWords = t('{problems, plural, one {# problem} other {# problems}}: show', { problems })
  return (
    <div className="text-panel">
      <div className="text-tools">
        {tools.map(([text, keys, act]) => (
          <Button key={keys} className="link" title={keys} onClick={act} text={text} />
        ))}
        {problems > 0 ? (
          <Button className="link warning" title="F8" onClick={() => editor.current?.nextProblem()} text={showWords} />
        ) : (
          <a className="soft" href="scenario.schema.json" target="_blank" rel="noreferrer">
            {t('JSON Schema')}
          </a>
        )}
      </div>
      {apart && (
        <p className="text-apart">
          {t('The drawing and the text differ.')}
          <Button onClick={() => editor.current?.takeCanvas()} text={t('Take the drawing')} />
          <Button onClick={() => editor.current?.keepText()} text={t('Keep the text')} />
        </p>
      )}
      <div className="text-editor" ref={host} />
    </div>
  )
}

interface TextEditor extends Pick<TextSync, 'format' | 'takeCanvas' | 'keepText' | 'close'> {
  find(): boolean
  nextProblem(): void
}

/** Opens the editor in a shadow root: the page's content policy forbids the inline styles that it would need elsewhere. */
function openEditor(
  session: Session,
  root: ShadowRoot,
  left: string | null,
  tell: (standing: TextState) => void,
): TextEditor {
  const view = new EditorView({
    root,
    parent: root,
    doc: left ?? scenarioText(scenarioAsText(scenarioStore(session).getState())),
    extensions: [
      history(),
      json(),
      foldGutter({ openText: '⌄', closedText: '›' }),
      highlightSpecialChars(),
      bidiIsolates(),
      highlightActiveLine(),
      bracketMatching(),
      closeBrackets(),
      indentOnInput(),
      EditorView.lineWrapping,
      autocompletion({ override: [suggest], icons: false }),
      meaningAtPointer,
      linter(null),
      search({ top: true }),
      EditorState.phrases.of(phrases()),
      editorTheme,
      keymap.of([
        { key: 'Mod-z', run: () => ways.undo(), preventDefault: true },
        { key: 'Mod-y', mac: 'Mod-Shift-z', run: () => ways.redo(), preventDefault: true },
        { key: 'Mod-Shift-z', run: () => ways.redo(), preventDefault: true },
        { key: 'Shift-Alt-f', run: () => ways.format() },
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...searchKeymap,
        ...foldKeymap,
        ...lintKeymap,
        // The page runs the pipeline with it.
        ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
      ]),
      EditorView.contentAttributes.of({
        tabindex: '0',
        'aria-label': t('Scenario as JSON'),
        'aria-description': t('JSON. Tab leaves the text, Control Space completes.'),
      }),
      EditorView.updateListener.of((update) => {
        ways.update(update)
        following.update(update)
      }),
    ],
  })
  const ways = syncText(session, view, tell)
  const following = followSelection(session, view)
  return {
    ...ways,
    find: () => openSearchPanel(view),
    nextProblem() {
      view.focus()
      nextDiagnostic(view)
    },
    close() {
      following.end()
      const text = ways.close()
      view.destroy()
      return text
    },
  }
}

/** Selects the stage at the cursor on the canvas, and scrolls to the stage selected there. */
function followSelection(session: Session, view: EditorView): { update(update: ViewUpdate): void; end(): void } {
  const store = scenarioStore(session)
  const show = (selected: string | null) => {
    if (selected === null || view.hasFocus) return
    const text = view.state.doc.toString()
    const stages = memberOf(outline(text), 'stages')?.value?.members ?? []
    const member = stages.find(({ value }) => textOf(text, value, 'id') === selected)
    if (member === undefined) return
    view.dispatch({
      selection: { anchor: member.from },
      effects: EditorView.scrollIntoView(member.from, { y: 'start', yMargin: 24 }),
    })
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
