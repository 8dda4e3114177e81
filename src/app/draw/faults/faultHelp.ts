import { t } from '../../../language/translate.ts'
import type { Commands } from '../../session/commands.ts'

/** The help for keys of the marks below the axis. The band handles them itself. */
export const faultHelp: Commands = () =>
  [
    ['+', t('another one where the playhead stands; with the pointer: the right button on the axis')],
    ['← →', t('on a mark: earlier, later; with Shift: ten times as far')],
    ['Enter', t('on a mark: change it in words')],
    ['Delete', t('on a mark: take it away')],
  ].map(([keys, what]) => ({ name: `fault ${keys}`, help: { group: 'faults' as const, keys, what } }))
