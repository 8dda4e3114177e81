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

/** Commands that save the run as files. */
export const exportCommands: Commands = (session) => {
  const { run } = runStore(session).getState()
  const command = (
    name: string,
    menu: NonNullable<Command['menu']>,
    save: (files: Awaited<ReturnType<typeof exportCode>>, run: Run) => Promise<void>,
    enabled = run !== null,
  ): Command => ({
    name,
    menu,
    enabled,
    act: async () => run && save(await exportCode(), run),
  })
  const trace = { section: 'trace', label: t('Download trace') } as const
  const events = {
    section: 'export',
    label: t('Save as Trace Event file'),
    about: t('For Perfetto and browsers'),
  } as const
  const decisions = { section: 'export', label: t('Download decisions'), about: t('As CSV') } as const
  const decision = { section: 'export', label: t('Download this decision') } as const
  const page = { section: 'export', label: t('Web page (offline)') } as const
  return [
    command('downloadTrace', trace, (files, run) => files.saveTrace(session, run)),
    command('downloadEvents', events, (files, run) => files.saveEvents(session, run)),
    command('downloadDecisions', decisions, (files, run) => files.saveDecisions(session, run)),
    command(
      'downloadDecision',
      decision,
      (files, run) => files.saveDecision(session, run),
      run !== null && run.trace.decisions.length > 0,
    ),
    ...(['SVG', 'PNG'] as const).map((kind) =>
      command(`save${kind}`, { section: 'export', label: t('Save picture as {kind}', { kind }) }, (files, run) =>
        files.savePicture(session, run, kind),
      ),
    ),
    command('savePage', page, (files, run) => files.savePage(session, run)),
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
