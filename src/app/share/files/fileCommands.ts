import { t } from '../../../language/translate.ts'
import { chooseFile, download } from '../../base/browser/files.ts'
import type { Command, MenuSection } from '../../base/ui/command.ts'
import type { Commands } from '../../session/commands.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { saveScenario, unreadableLink, unreadableText } from '../../session/scenario/savedCanvas.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { allowedFiles, takeFile } from './input.ts'
import { openTrace } from './openTrace.ts'

/** Fetches the code that writes the run as files. */
export const exportCode = () => import('./exportRun.ts')

/** Commands that save the run as files. The code that writes files is fetched when one is wanted. */
export const exportCommands: Commands = (session) => {
  const { run } = runStore(session).getState()
  const command = (
    name: string,
    label: string,
    save: (files: typeof import('./exportRun.ts'), run: Run) => Promise<void>,
    others: Partial<NonNullable<Command['menu']>> = {},
  ): Command => ({
    name,
    menu: { section: 'export', label, ...others },
    enabled: run !== null,
    act: async () => run && save(await import('./exportRun.ts'), run),
  })
  return [
    command('downloadTrace', t('Download trace'), (files, run) => files.saveTrace(session, run), { section: 'trace' }),
    command('downloadEvents', t('Save as Trace Event file'), (files, run) => files.saveEvents(session, run), {
      about: t('For Perfetto and browsers'),
    }),
    command('downloadDecisions', t('Download decisions'), (files, run) => files.saveDecisions(session, run)),
    {
      ...command('downloadDecision', t('Download this decision'), (files, run) => files.saveDecision(session, run)),
      enabled: run !== null && run.trace.decisions.length > 0,
    },
    ...(['SVG', 'PNG'] as const).map((kind) =>
      command(`save${kind}`, t('Save picture as {kind}', { kind }), (files, run) =>
        files.savePicture(session, run, kind),
      ),
    ),
    command('savePage', t('Web page (offline)'), (files, run) => files.savePage(session, run)),
  ]
}

export const scenarioFileCommands: Commands = (session) => [
  {
    name: 'downloadScenario',
    menu: { section: 'export', label: t('Download scenario') },
    act: () => saveScenario(scenarioStore(session).getState().whole),
  },
]

export const openCommands: Commands = (session) => [
  {
    name: 'openTrace',
    menu: { section: 'files', label: t('Open a trace') },
    act: () => chooseFile((file) => openTrace(session, file)),
  },
]

export const inputCommands: Commands = (session) => [
  {
    name: 'openFile',
    menu: { section: 'files', label: t('Open a file'), about: allowedFiles() },
    act: () => chooseFile((file) => takeFile(session, file)),
  },
]

/** Commands that download what could not be read. It is kept and never overwritten. */
export const unreadableCommands: Commands = (session) => {
  const command = (name: string, section: MenuSection, label: string, file: string, kept: string | null): Command[] =>
    kept === null ? [] : [{ name, menu: { section, label }, act: () => download(file, [kept], 'text/plain') }]
  return [
    ...command(
      'unreadableText',
      'unreadable',
      t('Download unreadable text'),
      'apportion-unreadable.txt',
      unreadableText(),
    ),
    ...command(
      'unreadableLink',
      'link',
      t('Download unreadable link'),
      'apportion-link.txt',
      unreadableLink(session).latest,
    ),
  ]
}
