import { headlessCommand } from './headless/headlessCommand.ts'
import { openCommand } from './headless/openCommand.ts'
import type { TerminalCommand } from './runs/remote/studies.ts'
import { studies } from './studies.ts'

/** The commands of the terminal, by name. They are not in `studies.ts`, so that threads of the page do not load them. */
export const commands: Readonly<Record<string, () => Promise<TerminalCommand>>> = {
  open: async () => openCommand,
  headless: async () => headlessCommand(studies),
  find: async () => (await import('./features/finder/findCommand.ts')).findCommand,
  fit: async () => (await import('./features/logs/fitCommand.ts')).fitCommand,
  check: async () => (await import('./features/spans/importCommand.ts')).checkCommand,
  import: async () =>
    (await import('./features/spans/importCommand.ts')).importCommand(
      (await import('./features/logs/fitCommand.ts')).decidedInRun,
    ),
  room: async () => (await import('./features/room/roomCommand.ts')).roomCommand,
  lend: async () => (await import('./features/room/lendCommand.ts')).lendCommand,
}
