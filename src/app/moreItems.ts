import { createBeliefs } from '../measures/beliefs.ts'
import { decisionAt, decisionIndexAt } from '../measures/decision.ts'
import { writeDecisionsCsv } from '../measures/decisionsCsv.ts'
import { testVectorOf } from '../measures/testVector.ts'
import { compact } from '../scenario/compact.ts'
import { presetOf } from '../scenario/presets.ts'
import { writeTraceEvents } from '../trace/traceEvents.ts'
import { writeTraceJson } from '../trace/traceJson.ts'
import { ask } from './askStore.ts'
import { download, fileName } from './download.ts'
import { chooseFile, takeSample } from './input.ts'
import type { MenuEntry } from './Menu.tsx'
import { savePicture } from './picture.ts'
import { playback } from './playback.ts'
import { type Run, runStore } from './runStore.ts'
import { open, scenarioStore } from './scenarioStore.ts'
import { unreadableText } from './storage.ts'
import { chooseTheme, type ThemeChoice } from './theme.ts'
import { openTrace } from './traceFile.ts'

/** The menu of what is needed now and then. */
export function moreItems(run: Run | null, theme: ThemeChoice, about: () => void): MenuEntry[] {
  const unreadable = unreadableText()
  const { scenario } = scenarioStore.getState()
  return [
    { label: 'About and keys', about: 'What this is, how to steer it, whose ideas it stands on.', act: about },
    { rule: 'about' },
    {
      label: 'Download trace',
      about: 'Every row and decision of the run, as JSON.',
      disabled: run === null,
      act: () => run && save(run, '.trace.json', writeTraceJson(run.trace)),
    },
    {
      label: 'Save as Trace Event file',
      about: 'Opens in Perfetto and in the browser’s profiler.',
      disabled: run === null,
      act: () => run && save(run, '.events.json', writeTraceEvents(run.trace)),
    },
    {
      label: 'Download decisions',
      about: 'What each decision saw and gave, as CSV.',
      disabled: run === null,
      act: () => run && save(run, '.decisions.csv', writeDecisionsCsv(run.trace, createBeliefs(run.trace)), 'text/csv'),
    },
    {
      label: 'Download this decision',
      about: 'The one at the playhead, as a test vector.',
      disabled: run === null || run.trace.decisions.length === 0,
      act: () => run && saveDecision(run),
    },
    ...(['SVG', 'PNG'] as const).map((kind) => ({
      label: `Save picture as ${kind}`,
      disabled: run === null,
      act: () => {
        if (run !== null) void savePicture(run, kind)
      },
    })),
    { label: 'Download scenario', act: () => download(fileName(scenario.title, '.scenario.json'), [JSON.stringify(compact(scenario), null, 2)]) },
    { label: 'Ask the allocator', about: 'Who should work where? Without a run.', act: () => ask() },
    { rule: 'files' },
    { label: 'Open a trace', about: 'A run that was downloaded, here or elsewhere.', act: () => chooseFile(openTrace) },
    { label: 'Open a file', about: 'A scenario, a trace, or a text file of JSON lines to work on.', act: () => chooseFile() },
    {
      label: 'Use the sample',
      about: 'A few megabytes of log records through real work.',
      act: () => {
        const lines = presetOf('log-lines')
        if (lines !== undefined) open(lines.scenario)
        void takeSample()
      },
    },
    { rule: 'themes' },
    ...(['auto', 'light', 'dark'] as const).map((choice) => ({ label: themes[choice], checked: theme === choice, act: () => chooseTheme(choice) })),
    ...(unreadable === null
      ? []
      : [{ rule: 'unreadable' }, { label: 'Download unreadable text', act: () => download('apportion-unreadable.txt', [unreadable], 'text/plain') }]),
  ]
}

/** A long trace takes a while to write: the status line says so. */
async function save(run: Run, ending: string, parts: Iterable<string>, type?: string): Promise<void> {
  const { status } = runStore.getState()
  const writing = 'Writing the file.'
  runStore.setState({ status: writing })
  await download(fileName(run.scenario.title, ending), parts, type)
  if (runStore.getState().status === writing) runStore.setState({ status })
}

/** The decision that the panel shows. */
function saveDecision({ trace, beliefs, scenario }: Run): void {
  const d = Math.max(0, decisionIndexAt(trace, playback.time))
  void download(fileName(scenario.title, `.decision-${d + 1}.json`), [`${JSON.stringify(testVectorOf(scenario, decisionAt(trace, beliefs, d)), null, 2)}\n`])
}

const themes: Readonly<Record<ThemeChoice, string>> = { auto: 'Colours of the system', light: 'Light', dark: 'Dark' }
