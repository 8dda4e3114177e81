import { say } from '../../language/say.ts'
import { readFragment } from '../../scenario/codec.ts'
import { parseText } from '../../scenario/parse.ts'
import type { Micros, Problem, Scenario } from '../../scenario/scenario.ts'
import type { EngineName } from '../../trace/trace.ts'
import { move, openScenario, start } from '../runStore.ts'

interface Read {
  readonly scenario: Scenario
  /** The engine that shows it best; and which one starts at once, and where it is looked at: null where nothing is said of it. */
  readonly wish: EngineName | null
  readonly run: EngineName | null
  readonly at: Micros | null
}

/** Puts what a link, JSON text or the name of an example says on the screen, and runs it if that or `run` asks for it. What is wrong comes back, and changes nothing. */
export async function openText(text: string, run: EngineName | null): Promise<readonly Problem[]> {
  const read = await readText(text)
  if ('problems' in read) return read.problems
  const { scenario, at } = read
  const engine = run ?? read.run
  openScenario(scenario, engine ?? read.wish ?? undefined)
  if (engine !== null || at !== null) await start()
  if (at !== null) move({ time: at, playing: false, following: false })
  return []
}

async function readText(text: string): Promise<Read | { readonly problems: readonly Problem[] }> {
  if (text.trimStart().startsWith('{')) {
    const parsed = parseText(text)
    return 'problems' in parsed ? parsed : { scenario: parsed.scenario, wish: null, run: null, at: null }
  }
  const hash = text.indexOf('#')
  const fragment = readFragment(hash < 0 ? '' : text.slice(hash))
  if (fragment.found === 'problems') return fragment
  if (fragment.found === 'scenario') return { ...fragment, wish: null }
  const preset = (await import('../../scenario/presets.ts')).presetOf(text)
  if (preset !== undefined) return { scenario: preset.scenario, wish: preset.engine ?? null, run: null, at: null }
  return { problems: [{ path: 'scenario', message: say('allowed: a link that carries a scenario, JSON text, or the name of an example') }] }
}
