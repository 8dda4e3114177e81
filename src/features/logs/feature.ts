import type { Feature } from '../../app/session/features/feature.ts'
import { ask, askCommands, askStore, askTable } from './ask/askStore.ts'
import { isImported, logCommands, logStore } from './page/logStore.ts'

const logFile = () => import('./page/logFile.ts')

/** Logs of other systems, scenarios fitted to them, and the allocator without a run. */
export const logsFeature: Feature = {
  key: 'logs',
  commands: [
    [64, askCommands],
    [74, logCommands],
  ],
  panels: [
    {
      place: 'aboveDecision',
      order: 30,
      when: ({ noted, run }) => noted || (run !== null && isImported(run)),
      load: async () => (await import('./page/DecidedPanel.tsx')).DecidedPanel,
    },
  ],
  layers: [
    {
      place: 'dialog',
      store: logStore,
      isOpen: (session) => logStore(session).getState().open,
      load: async () => (await import('./page/LogDialog.tsx')).LogDialog,
    },
    {
      place: 'dialog',
      store: askStore,
      isOpen: (session) => askStore(session).getState().draft !== null,
      load: async () => (await import('./ask/AskDialog.tsx')).AskDialog,
    },
  ],
  files: {
    // A file that is dropped on the dialog of logs is meant as a log.
    takesAll: (session) => logStore(session).getState().open,
    recognises: async (file) => (await logFile()).hasLines(file),
    open: async (session, file, asLines) => (await logFile()).openLog(session, file, undefined, asLines ?? null),
  },
  opens: {
    question: async (session, question) => ask(session, (await askTable()).askDraftOf(question)),
  },
}
