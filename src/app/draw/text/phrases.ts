import { say } from '../../../language/say.ts'

/** What the editor itself says, by its own English words; a `$` stands for a number. */
export function phrases(): Readonly<Record<string, string>> {
  return {
    Find: say('Find'),
    Replace: say('Replace'),
    next: say('next'),
    previous: say('previous'),
    all: say('all'),
    'match case': say('match case'),
    'by word': say('by word'),
    regexp: say('regexp'),
    replace: say('replace'),
    'replace all': say('replace all'),
    close: say('close'),
    'current match': say('current match'),
    'on line': say('on line'),
    'replaced $ matches': say('replaced: $'),
    'replaced match on line $': say('replaced on line $'),
    'Go to line': say('Go to line'),
    go: say('go'),
    Completions: say('Completions'),
    'Control character': say('Control character'),
    Diagnostics: say('Problems'),
    'No diagnostics': say('No problems'),
    'Selection deleted': say('Selection deleted'),
    'Fold line': say('Fold line'),
    'Unfold line': say('Unfold line'),
    'folded code': say('folded text'),
    'Folded lines': say('Folded lines'),
    'Unfolded lines': say('Unfolded lines'),
    unfold: say('unfold'),
    to: say('to'),
  }
}
