import { t } from '../../../language/translate.ts'
import type { Commands } from '../../session/commands.ts'

/** The help for keys of the canvas. The canvas handles them itself, depending on the focused node. */
export const editingHelp: Commands = () =>
  [
    [t('Arrows'), t('on a stage: along the pipeline; with Alt: its place in a line; with Shift: its place on the canvas')],
    [t('Space Enter'), t('on a stage: open it; rename it')],
    ['A B', t('on a stage: add one behind it; beside it, with the same stages before and behind')],
    ['C', t('on a stage: draw a link; arrows choose where to, Enter draws it')],
    ['Delete', t('on a stage: remove it; on the button of a link: remove the link')],
    ['Enter', t('on the disc of a worker: ask why it is there; arrows go to the next worker')],
    [t('Shift Space'), t('on a stage: choose it as well; with the pointer Shift and a click, or a box drawn beside the stages')],
    [t('Ctrl A'), t('choose all stages')],
    [t('Ctrl D'), t('duplicate what is chosen')],
    [t('Ctrl C X V'), t('copy, cut and paste stages and the links among them, as text')],
  ].map(([keys, what]) => ({ name: `editing ${keys}`, help: { group: 'editing' as const, keys, what } }))
