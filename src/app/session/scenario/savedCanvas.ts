import { compact } from '../../../scenario/model/compact.ts'
import type { EngineName } from '../../../scenario/model/engines.ts'
import type { ParsedDraft, Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { parseDraft, parseDraftText } from '../../../scenario/parse/parse.ts'
import { read, write } from '../../base/browser/browserStorage.ts'
import { kept } from '../../base/browser/preferences.ts'
import { part, type Session } from '../session.ts'
import { scenarioStore, scenarioToSave } from './scenarioStore.ts'

const ENGINE = 'apportion.engine'
const ASIDE = 'apportion.unreadable'
const LEFT = 'apportion.left'

/** What was on the canvas at the last visit; null if nothing was, or the browser keeps nothing. */
export function storedDraft(): ParsedDraft | { readonly problems: readonly Problem[] } | null {
  const text = read(kept.scenario)
  if (text === null) return null
  const parsed = parseDraftText(text)
  if ('problems' in parsed) setAside(text)
  return parsed
}

/** Kept for download, since the next save would overwrite it: below what was set aside before. */
function setAside(text: string): void {
  const before = unreadableText()
  if (before === null) write(ASIDE, text)
  else if (!before.includes(text)) write(ASIDE, `${before}\n\n${text}`)
}

/** The texts that could not be read at some visits, one below the other; null: all could. */
export function unreadableText(): string | null {
  return read(ASIDE)
}

interface Own {
  unreadable: string | null
}

const own = part(
  (): Own => ({
    unreadable: null,
  }),
)

/** A link that could not be read, for download: what the browser keeps for another visit is not overwritten with it. */
export function keepUnreadableLink(session: Session, link: string): void {
  own(session).unreadable = link
}

export function unreadableLink(session: Session): string | null {
  return own(session).unreadable
}

/** The engine that the person chose last; the simulation where nobody has. */
export function storedEngine(): EngineName {
  return engineIn(read(ENGINE)) ?? 'simulation'
}

export function keepEngine(engine: EngineName): void {
  write(ENGINE, engine)
}

/** Saves the scenario soon after each change, however quickly one follows the other; returns what ends it. */
export function keepSaved(session: Session): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    clearTimeout(timer)
    timer = undefined
    write(kept.scenario, JSON.stringify(compact(scenarioToSave(scenarioStore(session).getState()))))
  }
  const end = scenarioStore(session).subscribe((state, before) => {
    if (scenarioToSave(state) !== scenarioToSave(before)) timer ??= setTimeout(save, 250)
  })
  addEventListener('pagehide', save)
  return () => {
    clearTimeout(timer)
    removeEventListener('pagehide', save)
    end()
  }
}

interface Left {
  readonly draft: Scenario
  readonly engine: EngineName | null
  /** The branch that was shown; null: the trunk. */
  readonly branch: number | null
}

/**
 * Leaves the scenario and its engine for the page that a reload brings back to one of these addresses: the address itself may lag behind
 * by a second, and says nothing of the engine.
 */
export function leaveForReload(session: Session, hashes: readonly string[], engine: EngineName): void {
  try {
    sessionStorage.setItem(
      LEFT,
      JSON.stringify({ hashes, engine, branch: scenarioStore(session).getState().shown, drawing: compact(scenarioToSave(scenarioStore(session).getState())) }),
    )
  } catch {
    // Forbidden or full: the address has all but the last second.
  }
}

/** What was left for this address, or null. */
export function leftForReload(hash: string): Left | null {
  try {
    const left: unknown = JSON.parse(sessionStorage.getItem(LEFT) ?? 'null')
    if (typeof left !== 'object' || left === null || !('hashes' in left) || !('drawing' in left)) return null
    if (!Array.isArray(left.hashes) || !left.hashes.includes(hash)) return null
    const parsed = parseDraft(left.drawing)
    if ('problems' in parsed) return null
    const branch = 'branch' in left && typeof left.branch === 'number' && left.branch in parsed.scenario.branches ? left.branch : null
    return { draft: parsed.scenario, engine: 'engine' in left ? engineIn(left.engine) : null, branch }
  } catch {
    return null
  }
}

function engineIn(text: unknown): EngineName | null {
  return text === 'simulation' || text === 'threads' ? text : null
}
