import { t } from '../../../language/translate.ts'
import { download } from '../../base/browser/download.ts'
import { chooseLanguage, languageName, languageStore, languages } from '../../base/page/language.ts'
import { choosePatterns, chooseTheme, type ThemeChoice } from '../../base/page/theme.ts'
import type { MenuEntry } from '../../base/ui/Menu.tsx'
import { ask } from '../../explain/ask/askStore.ts'
import { openLogs } from '../../explain/logs/logStore.ts'
import { openScenario, type Run } from '../../session/run/runStore.ts'
import { film, print, setPresenting } from '../../session/run/showing.ts'
import { unreadableLink, unreadableText } from '../../session/scenario/savedCanvas.ts'
import { saveScenario } from '../../session/scenario/saveScenario.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { chooseFile, takeSample } from '../../share/files/input.ts'
import { openTrace } from '../../share/files/openTrace.ts'

/** The menu of what is needed now and then. */
export function moreItems(session: Session, run: Run | null, theme: ThemeChoice, patterns: boolean, about: () => void): MenuEntry[] {
  const unreadable = unreadableText()
  const link = unreadableLink(session)
  const { whole: scenario } = scenarioStore(session).getState()
  return [
    { label: t('About and keys'), about: t('What this is, how to steer it, whose ideas it stands on.'), act: about },
    { rule: 'about' },
    {
      label: t('Download trace'),
      about: t('Every row and decision of the run, as JSON.'),
      disabled: run === null,
      act: () => run && taking((files) => files.saveTrace(session, run)),
    },
    {
      label: t('Save as Trace Event file'),
      about: t('Opens in Perfetto and in the browser’s profiler.'),
      disabled: run === null,
      act: () => run && taking((files) => files.saveEvents(session, run)),
    },
    {
      label: t('Download decisions'),
      about: t('What each decision saw and gave, as CSV.'),
      disabled: run === null,
      act: () => run && taking((files) => files.saveDecisions(session, run)),
    },
    {
      label: t('Download this decision'),
      about: t('The one at the playhead, as a test vector.'),
      disabled: run === null || run.trace.decisions.length === 0,
      act: () => run && taking((files) => files.saveDecision(session, run)),
    },
    ...(['SVG', 'PNG'] as const).map((kind) => ({
      label: t('Save picture as {kind}', { kind }),
      disabled: run === null,
      act: () => run && taking((files) => files.savePicture(session, run, kind)),
    })),
    { label: t('Save as video'), about: t('The run as a WebM film, of any length.'), disabled: run === null, act: () => film(session, run) },
    { label: t('Print handout'), about: t('Picture, figures and link on paper (Ctrl+P).'), disabled: run === null, act: () => print(session, true) },
    { label: t('Present'), about: t('Large type and keys alone, for a room (P).'), act: () => setPresenting(session, true) },
    { label: t('Download scenario'), act: () => saveScenario(scenario) },
    { label: t('Ask the allocator'), about: t('Who should work where? Without a run.'), act: () => ask(session) },
    { rule: 'files' },
    { label: t('Open a trace'), about: t('A run that was downloaded, here or elsewhere.'), act: () => chooseFile(session, (file) => openTrace(session, file)) },
    { label: t('Open a log'), about: t('How your own system was doing: what would the allocator have said?'), act: () => openLogs(session) },
    { label: t('Open a file'), about: t('A scenario, a trace, a log, or a text file of JSON lines to work on.'), act: () => chooseFile(session) },
    {
      label: t('Use the sample'),
      about: t('A few megabytes of log records through real work.'),
      act: async () => {
        const lines = (await import('../../../scenario/presets/presets.ts')).presetOf('log-lines')
        if (lines !== undefined) openScenario(session, lines.scenario, lines.engine)
        await takeSample(session)
      },
    },
    { rule: 'themes' },
    ...(['auto', 'light', 'dark'] as const).map((choice) => ({ label: themes()[choice], checked: theme === choice, act: () => chooseTheme(choice) })),
    {
      label: t('Patterns besides colours'),
      about: t('Each stage wears bars of its own.'),
      checked: patterns,
      toggles: true,
      act: () => choosePatterns(!patterns),
    },
    { rule: 'languages' },
    ...languages.map((language) => ({
      label: languageName(language),
      language,
      checked: languageStore.getState().language === language,
      act: () => chooseLanguage(language),
    })),
    ...(unreadable === null
      ? []
      : [{ rule: 'unreadable' }, { label: t('Download unreadable text'), act: () => download('apportion-unreadable.txt', [unreadable], 'text/plain') }]),
    ...(link === null ? [] : [{ rule: 'link' }, { label: t('Download unreadable link'), act: () => download('apportion-link.txt', [link], 'text/plain') }]),
  ]
}

/** What makes files is fetched when one is wanted. */
async function taking(save: (files: typeof import('../../share/files/exportRun.ts')) => Promise<void>): Promise<void> {
  await save(await import('../../share/files/exportRun.ts'))
}

const themes = (): Readonly<Record<ThemeChoice, string>> => ({ auto: t('Colours of the system'), light: t('Light'), dark: t('Dark') })
