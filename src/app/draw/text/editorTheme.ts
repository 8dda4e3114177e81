import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { t } from '../../../language/translate.ts'

const INTER = '"Inter Variable", Inter, system-ui, sans-serif'

/** The colours of the page, which follow its theme. No style sheet of the page reaches into the shadow root. */
const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'var(--panel)', fontSize: '12px' },
  '&.cm-focused': { outline: '2px solid var(--stage-1)', outlineOffset: '-2px' },
  '.cm-scroller': {
    fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
    lineHeight: '1.55',
    fontVariantNumeric: 'tabular-nums',
  },
  '.cm-content': { caretColor: 'var(--ink)', padding: '10px 0' },
  // Combining marks that pile up on a letter stay in its line.
  '.cm-line': { overflow: 'clip' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--stage-1) 26%, transparent)',
  },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--bed) 55%, transparent)' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--soft)', border: '0', marginLeft: '2px' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--ink)' },
  '.cm-foldPlaceholder': { border: '1px solid var(--rule)', backgroundColor: 'var(--bed)', color: 'var(--soft)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--bed)',
    outline: '1px solid var(--rule)',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--accent) 1.2px',
    textUnderlineOffset: '3px',
    textDecorationSkipInk: 'none',
  },
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--accent)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--accent)' },
  '.cm-tooltip': {
    maxWidth: '360px',
    border: '1px solid var(--rule)',
    borderRadius: '6px',
    backgroundColor: 'var(--panel)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow)',
    fontFamily: INTER,
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'inherit', maxHeight: '220px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--bed)', color: 'var(--ink)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '650' },
  '.cm-meaning, .cm-completionInfo': { padding: '6px 10px' },
  '.cm-panels': {
    backgroundColor: 'var(--bed)',
    color: 'var(--ink)',
    fontFamily: INTER,
  },
  '.cm-panels-top': { borderBottom: '1px solid var(--rule)' },
  '.cm-panels-bottom': { borderTop: '1px solid var(--rule)' },
  '.cm-panel.cm-search': { padding: '6px 28px 6px 8px' },
  '.cm-textfield, .cm-button': {
    border: '1px solid var(--rule)',
    borderRadius: '4px',
    backgroundColor: 'var(--panel)',
    fontSize: '12px',
    padding: '3px 6px',
  },
  '.cm-button': { backgroundImage: 'none', color: 'var(--ink)', padding: '3px 8px' },
  '.cm-panel.cm-search [name=close], .cm-panel.cm-panel-lint [name=close]': { fontSize: '16px', color: 'var(--ink)' },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { backgroundColor: 'var(--panel)' },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--stage-2) 35%, transparent)' },
  '.cm-searchMatch-selected': { backgroundColor: 'color-mix(in srgb, var(--stage-2) 65%, transparent)' },
})

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--ink)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--stage-1)' },
  { tag: [tags.bool, tags.null, tags.keyword], color: 'var(--stage-4)' },
  { tag: tags.comment, color: 'var(--soft)' },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], color: 'var(--soft)' },
])

export const editorTheme: Extension = [theme, syntaxHighlighting(colours)]

export function phrases(): Readonly<Record<string, string>> {
  return {
    Find: t('Find'),
    Replace: t('Replace'),
    next: t('next'),
    previous: t('previous'),
    all: t('all'),
    'match case': t('match case'),
    'by word': t('by word'),
    replace: t('Replace'),
    'replace all': t('replace all'),
    close: t('Close'),
    'current match': t('current match'),
    'on line': t('on line'),
    'replaced $ matches': t('replaced: $'),
    'replaced match on line $': `${t('on line')} $`,
    'Go to line': t('Go to line'),
    go: t('Go to line'),
    Completions: t('Completions'),
    'Control character': t('Control character'),
    Diagnostics: t('Problems'),
    'No diagnostics': t('No problems'),
    'Selection deleted': t('Selection deleted'),
    'Fold line': t('Fold line'),
    'Unfold line': t('Unfold line'),
    'folded code': t('folded text'),
    'Folded lines': t('folded text'),
    'Unfolded lines': t('Unfolded lines'),
    unfold: t('Unfold line'),
    to: '–',
  }
}
