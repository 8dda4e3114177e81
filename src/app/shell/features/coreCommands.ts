import { editingHelp, faultHelp, textHelp } from '../../draw/editing/pageKeys.ts'
import { answerCommands } from '../../explain/decision/answerCommands.ts'
import { branchCommands } from '../../session/branches/branchCommands.ts'
import { type Commands, registerCommands } from '../../session/commands.ts'
import { featuresOf } from '../../session/features/features.tsx'
import { newCommands } from '../../session/run/newCommands.ts'
import { aboutCommands, helpCommands } from '../../session/run/showingCommands.ts'
import { historyCommands } from '../../session/scenario/historyCommands.ts'
import type { Session } from '../../session/session.ts'
import { exportCommands, inputCommands, openCommands, scenarioFileCommands, unreadableCommands } from '../../share/files/fileCommands.ts'
import { libraryCommands } from '../../share/library/libraryCommands.ts'
import { heldKeyHelp } from '../../watch/shortcuts/keyboard.ts'
import { timelineCommands, timelineSteps } from '../../watch/timeline/timelineCommands.ts'
import { playbackCommands, runCommands } from '../../watch/transport/playbackCommands.ts'
import { themeCommands } from './lookCommands.ts'

/** The commands of every page, with their places in menus and help. Those of features go in between. */
const coreCommands: readonly (readonly [place: number, commands: Commands])[] = [
  [10, newCommands],
  [18, libraryCommands],
  [20, playbackCommands],
  [22, timelineSteps],
  [24, branchCommands],
  [26, runCommands],
  [30, heldKeyHelp],
  [32, answerCommands],
  [34, timelineCommands],
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
