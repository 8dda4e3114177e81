import { t } from '../../../language/translate.ts'
import { chooseFile } from '../../base/browser/chooseFile.ts'
import { download } from '../../base/browser/download.ts'
import type { Commands } from '../../session/commands.ts'
import { openScenario, runStore } from '../../session/run/runStore.ts'
import { unreadableLink, unreadableText } from '../../session/scenario/savedCanvas.ts'
import { saveScenario } from '../../session/scenario/saveScenario.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { takeFile, takeSample } from './input.ts'
import { openTrace } from './openTrace.ts'

/** Commands that save the run as files. */
export const exportCommands: Commands = (session) => {
  const { run } = runStore(session).getState()
  return [
    {
      name: 'downloadTrace',
      menu: { section: 'more', label: t('Download trace'), about: t('Every row and decision of the run, as JSON.') },
      enabled: run !== null,
      act: () => run && taking((files) => files.saveTrace(session, run)),
    },
    {
      name: 'downloadEvents',
      menu: { section: 'more', label: t('Save as Trace Event file'), about: t('Opens in Perfetto and in the browser’s profiler.') },
      enabled: run !== null,
      act: () => run && taking((files) => files.saveEvents(session, run)),
    },
    {
      name: 'downloadDecisions',
      menu: { section: 'more', label: t('Download decisions'), about: t('What each decision saw and gave, as CSV.') },
      enabled: run !== null,
      act: () => run && taking((files) => files.saveDecisions(session, run)),
    },
    {
      name: 'downloadDecision',
      menu: { section: 'more', label: t('Download this decision'), about: t('The one at the playhead, as a test vector.') },
      enabled: run !== null && run.trace.decisions.length > 0,
      act: () => run && taking((files) => files.saveDecision(session, run)),
    },
    ...(['SVG', 'PNG'] as const).map((kind) => ({
      name: `save${kind}`,
      menu: { section: 'more' as const, label: t('Save picture as {kind}', { kind }) },
      enabled: run !== null,
      act: () => run && taking((files) => files.savePicture(session, run, kind)),
    })),
  ]
}

/** The command that saves the scenario as a file. */
export const scenarioFileCommands: Commands = (session) => [
  { name: 'downloadScenario', menu: { section: 'more', label: t('Download scenario') }, act: () => saveScenario(scenarioStore(session).getState().whole) },
]

/** The command that opens a trace. */
export const openCommands: Commands = (session) => [
  {
    name: 'openTrace',
    menu: { section: 'files', label: t('Open a trace'), about: t('A run that was downloaded, here or elsewhere.') },
    act: () => chooseFile((file) => openTrace(session, file)),
  },
]

/** Commands that open files of any kind, and the sample. */
export const inputCommands: Commands = (session) => [
  {
    name: 'openFile',
    menu: { section: 'files', label: t('Open a file'), about: t('A scenario, a trace, a log, or a text file of JSON lines to work on.') },
    act: () => chooseFile((file) => takeFile(session, file)),
  },
  {
    name: 'sample',
    menu: { section: 'files', label: t('Use the sample'), about: t('A few megabytes of log records through real work.') },
    act: async () => {
      const lines = (await import('../../../scenario/presets/presets.ts')).presetOf('log-lines')
      if (lines !== undefined) openScenario(session, lines.scenario, lines.engine)
      await takeSample(session)
    },
  },
]

/** Commands that download what could not be read. It is kept and never overwritten. */
export const unreadableCommands: Commands = (session) => {
  const text = unreadableText()
  const link = unreadableLink(session)
  return [
    ...(text === null
      ? []
      : [
          {
            name: 'unreadableText',
            menu: { section: 'unreadable' as const, label: t('Download unreadable text') },
            act: () => download('apportion-unreadable.txt', [text], 'text/plain'),
          },
        ]),
    ...(link === null
      ? []
      : [
          {
            name: 'unreadableLink',
            menu: { section: 'link' as const, label: t('Download unreadable link') },
            act: () => download('apportion-link.txt', [link], 'text/plain'),
          },
        ]),
  ]
}

/** Fetches the code that writes files when a file is wanted. */
async function taking(save: (files: typeof import('./exportRun.ts')) => Promise<void>): Promise<void> {
  await save(await import('./exportRun.ts'))
}
