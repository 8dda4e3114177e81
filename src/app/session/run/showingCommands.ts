import { t } from '../../../language/translate.ts'
import type { Commands } from '../commands.ts'
import { runStore } from './runStore.ts'
import { film, openDialog, setPresenting, setPrinting, setWriting } from './showing.ts'

/** Opens the dialog about the page. */
export const aboutCommands: Commands = (session) => [
  {
    name: 'about',
    menu: { section: 'about', label: t('About and keys'), about: t('What this is, how to steer it, whose ideas it stands on.') },
    act: () => openDialog(session, 'about'),
  },
]

/** Film, essay, handout and presenter mode. */
export const showingCommands: Commands = (session) => {
  const { run, phase } = runStore(session).getState()
  return [
    {
      name: 'film',
      menu: { section: 'export', label: t('Save as video'), about: t('The run as a film of any length, WebM or MP4.') },
      enabled: run !== null,
      act: () => film(session, run),
    },
    {
      name: 'essay',
      menu: { section: 'export', label: t('As a page'), about: t('A text of yours in which paragraphs pin moments of the run.') },
      act: () => setWriting(session, true),
    },
    {
      name: 'handout',
      menu: { section: 'export', label: t('Print handout'), about: t('Picture, figures and link on paper (Ctrl+P).') },
      enabled: run !== null,
      act: () => setPrinting(session, true),
    },
    { name: 'handoutKey', key: { key: 'p', ctrl: true }, control: 'more', enabled: phase === 'ended', act: () => setPrinting(session, true) },
    {
      name: 'present',
      key: { key: 'p', shift: false },
      leaves: 'editors',
      help: { group: 'playback', keys: 'P', what: t('show the run to a room: large, by keys alone; with Ctrl: a handout on paper') },
      menu: { section: 'more', label: t('Present'), about: t('Large type and keys alone, for a room (P).') },
      control: 'more',
      act: () => setPresenting(session, true),
    },
  ]
}

/** Opens the list of keys. */
export const helpCommands: Commands = (session) => [
  { name: 'keys', title: t('Keys'), key: { key: '?' }, help: { group: 'editing', keys: '?', what: t('this list') }, act: () => openDialog(session, 'keys') },
]
