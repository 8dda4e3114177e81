import { t } from '../../../language/translate.ts'
import { readFragment } from '../../../scenario/link/codec.ts'
import { type Opening, plainOpening } from '../../../scenario/link/opening.ts'
import type { EngineName } from '../../../scenario/model/engines.ts'
import type { Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { parseText } from '../../../scenario/parse/parse.ts'
import { presetOf } from '../../../scenario/presets/presets.ts'
import { openScenario } from '../../session/run/opening.ts'
import { runStore } from '../../session/run/runStore.ts'
import { codeIn, stageCodeWaits } from '../../session/scenario/allowedCode.ts'
import { part, type Session } from '../../session/session.ts'
import { foreignCodeNotice } from '../../share/links/openLink.ts'
import { openView } from '../../share/links/openView.ts'

/** Counts what was asked for: only the latest request is opened. */
const openRequests = part(() => ({ latest: 0 }))

/**
 * Opens a link, a JSON text or the example of that name, and runs it if the link or `run` asks for it and it has no code of its own, which
 * waits for a press. Returns the problems of a text that cannot be opened; the page then stays as it is. A later request wins.
 */
export async function openText(session: Session, text: string, run: EngineName | null): Promise<readonly Problem[]> {
  const request = openRequests(session)
  const number = ++request.latest
  const read = await readText(text)
  if ('problems' in read) return read.problems
  if (number !== request.latest) return []
  const { scenario, opening, preferredEngine } = read
  const engine = run ?? opening.run
  openScenario(session, scenario, engine ?? preferredEngine ?? undefined)
  const waits = codeIn(scenario).length > 0
  if (waits) runStore(session).setState({ status: foreignCodeNotice })
  await openView(
    session,
    { ...opening, run: engine },
    waits || stageCodeWaits(session, scenario, runStore(session).getState().engine),
  )
  return []
}

/** Returns the contents of a text, and the engine that shows it best; null: any engine. */
async function readText(
  text: string,
): Promise<
  { scenario: Scenario; preferredEngine: EngineName | null; opening: Opening } | { problems: readonly Problem[] }
> {
  if (text.trimStart().startsWith('{')) {
    const parsed = parseText(text)
    return 'problems' in parsed ? parsed : { scenario: parsed.scenario, preferredEngine: null, opening: plainOpening }
  }
  const hash = text.indexOf('#')
  const fragment = readFragment(hash < 0 ? '' : text.slice(hash))
  if (fragment.found === 'problems') return fragment
  if (fragment.found === 'scenario') {
    const { scenario, opening, problems } = fragment
    return problems.length > 0 ? { problems } : { scenario, opening, preferredEngine: null }
  }
  const preset = presetOf(text)
  if (preset !== undefined)
    return { scenario: preset.scenario, preferredEngine: preset.engine ?? null, opening: plainOpening }
  return {
    problems: [{ path: 'scenario', message: t('allowed: a link, JSON, or the name of an example') }],
  }
}
