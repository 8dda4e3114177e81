import { t } from '../../../language/translate.ts'
import type { Commands } from '../commands.ts'
import { redo, undo } from './scenarioStore.ts'

/** Undo and redo. */
export const historyCommands: Commands = (session) => [
  {
    name: 'undo',
    title: t('Undo'),
    key: { key: 'z', ctrl: true, shift: false },
    help: { group: 'editing', keys: t('Ctrl Z'), what: t('undo; with Shift: redo') },
    control: 'editing',
    act: () => undo(session),
  },
  { name: 'redo', title: t('Redo'), key: { key: 'z', ctrl: true, shift: true }, control: 'editing', act: () => redo(session) },
  { name: 'redoToo', key: { key: 'y', ctrl: true }, control: 'editing', act: () => redo(session) },
]
