import { compact } from '../../../scenario/model/compact.ts'
import { type EngineName, engineNames, ownEngines } from '../../../scenario/model/engines.ts'
import type { ParsedDraft, Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { checkedText, checkStored } from '../../../scenario/parse/checked.ts'
import { parseDraft, parseDraftText } from '../../../scenario/parse/parse.ts'
import {
  anything,
  type CheckedBy,
  checkList,
  checkOneOf,
  checkText,
  orNull,
  wholeNumber,
} from '../../../scenario/parse/shape.ts'
import { readStored, storageKeys, writeStored } from '../../base/browser/browserStorage.ts'
import { download, fileName } from '../../base/browser/files.ts'
import { part, type Session } from '../session.ts'
import { scenarioStore, scenarioToSave } from './scenarioStore.ts'

const ENGINE = 'apportion.engine'
const ASIDE = 'apportion.unreadable'
const LEFT = 'apportion.left'

/** Returns what was on the canvas at the last visit; null if nothing was stored. */
export function storedDraft(): ParsedDraft | { readonly problems: readonly Problem[] } | null {
  const text = readStored(storageKeys.scenario)
  if (text === null) return null
  const parsed = parseDraftText(text)
  if ('problems' in parsed) setAside(text)
  return parsed
}

/** Keeps a text for download, below what was kept before: the next save would overwrite it. */
function setAside(text: string): void {
  const earlier = unreadableText()
  if (earlier === null) writeStored(ASIDE, text)
  else if (!earlier.includes(text)) writeStored(ASIDE, `${earlier}\n\n${text}`)
}

/** Returns the stored texts that could not be read, one below the other; null: there are none. */
export const unreadableText = (): string | null => readStored(ASIDE)

/** The last link that could not be read, for download in this session. */
export const unreadableLink = part(() => ({ latest: null as string | null }))

/** Returns the engine that the person chose last and that needs no room, or the simulation. */
export const storedEngine = (): EngineName => ownEngines.find((name) => name === readStored(ENGINE)) ?? 'simulation'

export const keepEngine = (engine: EngineName): void => writeStored(ENGINE, engine)

/** Saves the scenario soon after each change, even if more changes follow. Returns an unsubscribe function. */
export function keepSaved(session: Session): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const store = scenarioStore(session)
  const save = () => {
    clearTimeout(timer)
    timer = undefined
    writeStored(storageKeys.scenario, JSON.stringify(compact(scenarioToSave(store.getState()))))
  }
  const end = store.subscribe((state, before) => {
    if (scenarioToSave(state) !== scenarioToSave(before)) timer ??= setTimeout(save, 250)
  })
  const stay = session.address.onLeave(save)
  return () => {
    clearTimeout(timer)
    stay()
    end()
  }
}

const leftCheck = checkStored({
  hashes: checkList(checkText()),
  engine: orNull(checkOneOf(engineNames)),
  branch: orNull(wholeNumber),
  drawing: anything,
})

/** Stores the scenario and its engine for a reload of one of these addresses. The address may be a second late, and has no engine. */
export function leaveForReload(session: Session, hashes: readonly string[], engine: EngineName): void {
  const step = scenarioStore(session).getState()
  const left = { hashes, engine, branch: step.shown, drawing: compact(scenarioToSave(step)) } satisfies CheckedBy<
    typeof leftCheck
  >
  // If storage is forbidden or full, the address has all but the last second.
  writeStored(LEFT, JSON.stringify(left), 'sessionStorage')
}

/** Returns what was stored for a reload of this address, with the branch that was shown (null: the original); null if nothing was. */
export function leftForReload(hash: string) {
  const left = checkedText(leftCheck, readStored(LEFT, 'sessionStorage'))
  if (left === null || !left.hashes.includes(hash)) return null
  const parsed = parseDraft(left.drawing)
  if ('problems' in parsed) return null
  const branch = left.branch !== null && left.branch in parsed.scenario.branches ? left.branch : null
  return { draft: parsed.scenario, engine: left.engine, branch }
}

export function saveScenario(scenario: Scenario): Promise<void> {
  return download(fileName(scenario.title, '.scenario.json'), [JSON.stringify(compact(scenario), null, 2)])
}

/** Downloads what is on the canvas, for when the library cannot save it or the page cannot show it. */
export function saveCanvas(session: Session): Promise<void> {
  return saveScenario(scenarioToSave(scenarioStore(session).getState()))
}
