import { onFrame } from '../../base/browser/frames.ts'
import { languageStore } from '../../base/page/language.ts'
import { followTheme, themeStore } from '../../base/page/theme.ts'
import { limitPlayhead, paint, repaint } from '../../session/page/painter.ts'
import type { Session } from '../../session/session.ts'
import { listenToKeys } from '../../watch/shortcuts/keyboard.ts'
import { withinBreakpoints } from '../../watch/transport/playbackCommands.ts'
import { registerAllCommands } from './coreCommands.ts'

/** Starts the services of a page, whole or embedded: theme, features, keys and the frame loop. Returns a function that ends them. */
export function attendPage(session: Session): (() => void)[] {
  return [
    followTheme(),
    limitPlayhead(session, withinBreakpoints),
    registerAllCommands(session),
    listenToKeys(session),
    themeStore.subscribe(() => repaint(session)),
    languageStore.subscribe(() => repaint(session)),
    onFrame((elapsedMs, now) => paint(session, elapsedMs, now)),
  ]
}
