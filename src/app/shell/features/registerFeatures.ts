import { gameCommands } from '../../../features/game/beatStore.ts'
import { galleryCommands } from '../../../features/lessons/page/galleryCommands.ts'
import { lessonCommands } from '../../../features/lessons/page/lessonCommands.ts'
import { askCommands } from '../../../features/logs/ask/askStore.ts'
import { logCommands } from '../../../features/logs/page/logStore.ts'
import { editingHelp, faultHelp, textHelp } from '../../draw/editing/pageKeys.ts'
import { answerCommands } from '../../explain/decision/answerCommands.ts'
import { branchCommands } from '../../session/branches/branchCommands.ts'
import { registerCommands } from '../../session/commands.ts'
import { newCommands } from '../../session/run/newCommands.ts'
import { limitPlayhead } from '../../session/run/painter.ts'
import { aboutCommands, helpCommands, showingCommands } from '../../session/run/showingCommands.ts'
import { historyCommands } from '../../session/scenario/historyCommands.ts'
import type { Session } from '../../session/session.ts'
import { exportCommands, inputCommands, openCommands, scenarioFileCommands, unreadableCommands } from '../../share/files/fileCommands.ts'
import { libraryCommands } from '../../share/library/libraryCommands.ts'
import { heldKeyHelp } from '../../watch/shortcuts/keyboard.ts'
import { timelineCommands, timelineSteps } from '../../watch/timeline/timelineCommands.ts'
import { playbackCommands, runCommands, withinBreakpoints } from '../../watch/transport/playbackCommands.ts'
import { themeCommands } from './lookCommands.ts'

/** Lets the features take part in a session. Menus and help list their commands in this order. Returns what ends it. */
export function registerFeatures(session: Session): () => void {
  const ends = [
    limitPlayhead(session, withinBreakpoints),
    registerCommands(session, newCommands, lessonCommands, galleryCommands, gameCommands, libraryCommands),
    registerCommands(session, playbackCommands, timelineSteps, branchCommands, runCommands),
    registerCommands(session, heldKeyHelp, answerCommands, timelineCommands, faultHelp),
    registerCommands(session, historyCommands, editingHelp, textHelp, helpCommands),
    registerCommands(session, aboutCommands, exportCommands, showingCommands, scenarioFileCommands, askCommands),
    registerCommands(session, openCommands, logCommands, inputCommands, themeCommands, unreadableCommands),
  ]
  return () => {
    for (const end of ends) end()
  }
}
