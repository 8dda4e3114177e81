import { t } from '../../../language/translate.ts'
import { chooseLanguage, languageName, languageStore, languages } from '../../base/page/language.ts'
import { choosePatterns, chooseTheme, type ThemeChoice, themeStore } from '../../base/page/theme.ts'
import type { Command } from '../../base/ui/command.ts'
import { editingHelp, faultHelp, textHelp } from '../../draw/editing/pageKeys.ts'
import { type Commands, registerCommands } from '../../session/commands.ts'
import { featuresOf } from '../../session/features/features.tsx'
import { forkAtPlayhead } from '../../session/page/playhead.ts'
import { askedWorkerStore, askWorker, openDialog, openRecord } from '../../session/page/showing.ts'
import { openScenario } from '../../session/run/opening.ts'
import { emptyScenario } from '../../session/scenario/emptyScenario.ts'
import { redo, undo } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import {
  exportCommands,
  inputCommands,
  openCommands,
  scenarioFileCommands,
  unreadableCommands,
} from '../../share/files/fileCommands.ts'
import { heldKeyHelp } from '../../watch/shortcuts/keyboard.ts'
import { timelineCommands, timelineSteps } from '../../watch/timeline/timelineCommands.ts'
import { playbackCommands, runCommands } from '../../watch/transport/playbackCommands.ts'

const answerCommands: Commands = (session) => [
  { name: 'askWorker', help: { group: 'pointer', keys: t('Press a worker'), what: t('why it is there') } },
  {
    name: 'closeAnswer',
    key: { key: 'Escape' },
    leaves: 'editors',
    help: { group: 'playback', keys: 'Escape', what: t('close the answer') },
    enabled: askedWorkerStore(session).getState().worker !== null,
    act: () => askWorker(session, null),
  },
]

const newCommands: Commands = (session) => [
  {
    name: 'new',
    menu: { section: 'scenarios', label: t('New pipeline') },
    act: () => openScenario(session, emptyScenario()),
  },
]

const aboutCommands: Commands = (session) => [
  {
    name: 'about',
    menu: { section: 'about', label: t('About and keys') },
    act: () => openDialog(session, 'about'),
  },
]

const helpCommands: Commands = (session) => [
  {
    name: 'keys',
    title: t('Keys'),
    key: { key: '?' },
    help: { group: 'editing', keys: '?', what: t('this list') },
    act: () => openDialog(session, 'keys'),
  },
]

const recordCommands: Commands = (session) =>
  featuresOf(session).flatMap(({ tabs }) =>
    (tabs ?? [])
      .filter(({ place }) => place === 'record')
      .map(({ key, name }) => ({
        name: `record ${key}`,
        title: name(),
        control: 'views',
        act: () => openRecord(session, key),
      })),
  )

const historyCommands: Commands = (session) => [
  {
    name: 'undo',
    title: t('Undo'),
    key: { key: 'z', ctrl: true, shift: false },
    help: { group: 'editing', keys: 'Ctrl Z', what: t('undo; with Shift: redo') },
    control: 'editing',
    act: () => undo(session),
  },
  {
    name: 'redo',
    title: t('Redo'),
    key: { key: 'z', ctrl: true, shift: true },
    control: 'editing',
    act: () => redo(session),
  },
  { name: 'redoToo', key: { key: 'y', ctrl: true }, control: 'editing', act: () => redo(session) },
]

const themeCommands = (): readonly Command[] => {
  const { choice, palette } = themeStore.getState()
  const patterns = palette?.patterns ?? false
  return [
    ...(['auto', 'light', 'dark'] as const).map((theme) => ({
      name: `theme ${theme}`,
      title: `${t('Colours')}: ${themes()[theme]}`,
      menu: { section: 'themes' as const, choice: t('Colours'), label: themes()[theme], checked: theme === choice },
      act: () => chooseTheme(theme),
    })),
    {
      name: 'patterns',
      menu: {
        section: 'themes',
        label: t('Patterns besides colours'),
        checked: patterns,
        toggles: true,
      },
      act: () => choosePatterns(!patterns),
    },
    ...languages.map((language) => ({
      name: `language ${language}`,
      menu: {
        section: 'languages' as const,
        label: languageName(language),
        language,
        checked: languageStore.getState().language === language,
      },
      act: () => chooseLanguage(language),
    })),
  ]
}

const themes = (): Readonly<Record<ThemeChoice, string>> => ({
  auto: t('System'),
  light: t('Light'),
  dark: t('Dark'),
})

export const branchCommands: Commands = (session) => [
  {
    name: 'fork',
    title: t('Fork here'),
    key: { key: 'k' },
    help: { group: 'playback', keys: 'K', what: t('fork the run at the playhead') },
    control: 'editing',
    act: () => forkAtPlayhead(session),
  },
]

/** The commands of every page, with their places in menus and help. Those of features go in between. */
const coreCommands: readonly (readonly [place: number, commands: Commands])[] = [
  [10, newCommands],
  [20, playbackCommands],
  [22, timelineSteps],
  [24, branchCommands],
  [26, runCommands],
  [30, heldKeyHelp],
  [32, answerCommands],
  [34, timelineCommands],
  [35, recordCommands],
  [36, faultHelp],
  [40, historyCommands],
  [42, editingHelp],
  [44, textHelp],
  [46, helpCommands],
  [50, aboutCommands],
  [52, exportCommands],
  [60, scenarioFileCommands],
  [70, openCommands],
  [76, inputCommands],
  [80, themeCommands],
  [82, unreadableCommands],
]

/** Registers what a person can do on the page. Returns a function that removes it. */
export function registerAllCommands(session: Session): () => void {
  const all = [...coreCommands, ...featuresOf(session).flatMap(({ commands }) => commands ?? [])]
  return registerCommands(session, ...all.sort(([a], [b]) => a - b).map(([, commands]) => commands))
}
