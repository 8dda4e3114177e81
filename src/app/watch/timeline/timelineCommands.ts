import { t } from '../../../language/translate.ts'
import type { Commands } from '../../session/commands.ts'
import { openRecord } from '../../session/page/showing.ts'
import {
  askFault,
  clearLast,
  shownTimeline,
  showSelection,
  timelineStore,
  toolsStore,
} from '../../session/page/timelineStore.ts'
import type { Session } from '../../session/session.ts'

/** Keys that the timeline handles itself while it has the focus. */
export const timelineSteps: Commands = () => [
  {
    name: 'timelineArrows',
    help: { group: 'playback', keys: '← →', what: t('the same, on the timeline; Shift: move it') },
  },
  {
    name: 'timelineLanes',
    help: {
      group: 'playback',
      keys: '↑ ↓',
      what: t('worker above, below; Enter: why it is there'),
    },
  },
  {
    name: 'timelineEnds',
    help: { group: 'playback', keys: t('Home End'), what: t('beginning, end of the timeline') },
  },
]

export const timelineCommands: Commands = (session) => {
  const { selection, focus, opened } = timelineStore(session).getState()
  return [
    {
      name: 'fit',
      key: { key: 'f', shift: false },
      leaves: 'editors',
      help: { group: 'timeline', keys: 'F', what: t('fit the whole run') },
      act: () => shownTimeline(session).timeline?.fit(),
    },
    {
      name: 'zoomToSelection',
      key: { key: 'z', shift: false },
      leaves: 'editors',
      help: { group: 'timeline', keys: 'Z', what: t('zoom to what is marked') },
      act: () => showSelection(session),
    },
    {
      name: 'find',
      key: { key: '/', shift: false },
      leaves: 'editors',
      help: { group: 'timeline', keys: '/', what: t('Find a stage, worker or job') },
      act: () => openTools(session, 'find'),
    },
    { name: 'tools', title: t('Tools'), act: () => openTools(session, 'all') },
    { name: 'pauses', title: t('Pause when…'), control: 'breaks', act: () => openTools(session, 'pauses') },
    {
      name: 'fault',
      title: t('Inject fault'),
      control: 'editing',
      act: () => {
        openRecord(session, 'timeline')
        askFault(session, { time: null, x: innerWidth / 3, y: innerHeight / 3 })
      },
    },
    {
      name: 'clearSelection',
      key: { key: 'Escape' },
      leaves: 'editors',
      help: { group: 'timeline', keys: 'Escape', what: t('remove the mark, then the search') },
      enabled: selection !== null || focus !== null || opened !== null,
      act: () => clearLast(session),
    },
    ...gestures().map(([keys, what]) => ({ name: `gesture ${keys}`, help: { group: 'pointer' as const, keys, what } })),
  ]
}

const openTools = (session: Session, open: 'all' | 'find' | 'pauses') => toolsStore(session).setState({ open })

const gestures = (): readonly (readonly [keys: string, what: string])[] => [
  [t('Click'), t('move the playhead')],
  [t('Drag'), t('mark a range; on the axis: move the playhead')],
  [t('Shift drag'), t('mark, without the playhead')],
  [t('Finger'), t('moves the playhead; after a rest marks')],
  [t('Wheel pinch'), t('zoom; Shift or sideways: move')],
  [t('Double click'), t('fit the whole run')],
]
