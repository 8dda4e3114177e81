import { t } from '../../../language/translate.ts'

/** Returns the texts of the editor by its own English ones; `$` stands for a number. */
export function phrases(): Readonly<Record<string, string>> {
  return {
    Find: t('Find'),
    Replace: t('Replace'),
    next: t('next'),
    previous: t('previous'),
    all: t('all'),
    'match case': t('match case'),
    'by word': t('by word'),
    regexp: t('regexp'),
    replace: t('replace'),
    'replace all': t('replace all'),
    close: t('close'),
    'current match': t('current match'),
    'on line': t('on line'),
    'replaced $ matches': t('replaced: $'),
    'replaced match on line $': t('replaced on line $'),
    'Go to line': t('Go to line'),
    go: t('go'),
    Completions: t('Completions'),
    'Control character': t('Control character'),
    Diagnostics: t('Problems'),
    'No diagnostics': t('No problems'),
    'Selection deleted': t('Selection deleted'),
    'Fold line': t('Fold line'),
    'Unfold line': t('Unfold line'),
    'folded code': t('folded text'),
    'Folded lines': t('Folded lines'),
    'Unfolded lines': t('Unfolded lines'),
    unfold: t('unfold'),
    to: t('to'),
  }
}
