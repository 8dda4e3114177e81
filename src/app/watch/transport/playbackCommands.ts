import { t } from '../../../language/translate.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { runOrStop } from '../../session/answer/keepAnswer.ts'
import type { Commands } from '../../session/commands.ts'
import { stepDecision, stepInstant, stepMove, togglePlaying } from '../../session/page/playhead.ts'
import type { Run } from '../../session/run/runStore.ts'
import type { Session } from '../../session/session.ts'
import { breakpointStore } from './breakpointStore.ts'
import { playUpTo, searchNextBreak } from './breakSearch.ts'

export const playbackCommands: Commands = (session) => [
  {
    name: 'play',
    key: { key: ' ' },
    leaves: 'controls',
    help: { group: 'playback', keys: t('Space'), what: t('play or pause') },
    act: () => togglePlaying(session),
  },
  { name: 'nextDecision', title: t('Next decision'), key: { key: '.' }, act: () => stepDecision(session, 1) },
  {
    name: 'previousDecision',
    title: t('Previous decision'),
    key: { key: ',' },
    help: { group: 'playback', keys: ', .', what: t('previous, next decision') },
    act: () => stepDecision(session, -1),
  },
  { name: 'nextMove', title: t('Next move'), key: { key: '>' }, act: () => stepMove(session, 1) },
  {
    name: 'previousMove',
    title: t('Previous move'),
    key: { key: '<' },
    help: { group: 'playback', keys: '< >', what: t('previous, next move') },
    act: () => stepMove(session, -1),
  },
  { name: 'nextEvent', title: t('Step forward'), key: { key: ']' }, act: () => stepInstant(session, 1) },
  {
    name: 'previousEvent',
    title: t('Step back'),
    key: { key: '[' },
    help: { group: 'playback', keys: '[ ]', what: t('step back, forward') },
    act: () => stepInstant(session, -1),
  },
  {
    name: 'nextBreak',
    key: { key: 'n' },
    help: { group: 'playback', keys: 'N', what: t('next pause') },
    act: () => searchNextBreak(session),
  },
]

export const runCommands: Commands = (session) => [
  {
    name: 'run',
    key: { key: 'enter', ctrl: true },
    inFields: true,
    help: { group: 'playback', keys: t('Ctrl Enter'), what: t('run or stop') },
    act: () => runOrStop(session),
  },
]

/** Returns how far the playhead may go towards `wanted`: less if a breakpoint comes first, or if the search is not that far yet. */
export function withinBreakpoints(session: Session, run: Run, wanted: Micros, live: boolean): Micros {
  if (breakpointStore(session).getState().on.length === 0) return wanted
  return playUpTo(session, run, wanted, live)
}
