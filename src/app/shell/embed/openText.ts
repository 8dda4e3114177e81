import { t } from '../../../language/translate.ts'
import { readFragment } from '../../../scenario/link/codec.ts'
import { type Opening, plainOpening } from '../../../scenario/link/opening.ts'
import type { EngineName } from '../../../scenario/model/engines.ts'
import type { Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { parseText } from '../../../scenario/parse/parse.ts'
import { openScenario } from '../../session/run/runStore.ts'
import { part, type Session } from '../../session/session.ts'
import { openView } from '../../share/links/openView.ts'

interface Read {
  readonly scenario: Scenario
  /** The engine that shows it best; null where nothing is said of it. */
  readonly wish: EngineName | null
  readonly opening: Opening
}

interface Own {
  asked: number
}

const own = part(
  (): Own => ({
    asked: 0,
  }),
)

/**
 * Puts what a link, JSON text or the name of an example says on the screen, and runs it if that or `run` asks for it. What is wrong comes
 * back, and changes nothing. Where another is asked for while this one is read, that stays.
 */
export async function openText(session: Session, text: string, run: EngineName | null): Promise<readonly Problem[]> {
  const number = ++own(session).asked
  const read = await readText(text)
  if ('problems' in read) return read.problems
  if (number !== own(session).asked) return []
  const { scenario, opening, wish } = read
  const engine = run ?? opening.run
  openScenario(session, scenario, engine ?? wish ?? undefined)
  await openView(session, { ...opening, run: engine })
  return []
}

async function readText(text: string): Promise<Read | { readonly problems: readonly Problem[] }> {
  if (text.trimStart().startsWith('{')) {
    const parsed = parseText(text)
    return 'problems' in parsed ? parsed : { scenario: parsed.scenario, wish: null, opening: plainOpening }
  }
  const hash = text.indexOf('#')
  const fragment = readFragment(hash < 0 ? '' : text.slice(hash))
  if (fragment.found === 'problems') return fragment
  if (fragment.found === 'scenario') {
    const { scenario, opening, problems } = fragment
    return problems.length > 0 ? { problems } : { scenario, opening, wish: null }
  }
  const preset = (await import('../../../scenario/presets/presets.ts')).presetOf(text)
  if (preset !== undefined) return { scenario: preset.scenario, wish: preset.engine ?? null, opening: plainOpening }
  return { problems: [{ path: 'scenario', message: t('allowed: a link that carries a scenario, JSON text, or the name of an example') }] }
}
