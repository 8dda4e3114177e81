import { openScenario } from '../../../app/session/run/opening.ts'
import { emptyScenario } from '../../../app/session/scenario/emptyScenario.ts'
import {
  type CanvasStep,
  editOrShowProblems,
  restoreDraft,
  scenarioStore,
  scenarioToSave,
} from '../../../app/session/scenario/scenarioStore.ts'
import { part, type Session } from '../../../app/session/session.ts'
import { t, withoutIsolates } from '../../../language/translate.ts'
import { setOptions } from '../../../scenario/edit/edits.ts'
import { checksum } from '../../../scenario/link/codec.ts'
import { MAX_NAME, MAX_TEXT } from '../../../scenario/model/limits.ts'
import { count } from '../../../views/drawing/format.ts'
import { failure, type Kept, openLibraryDatabase } from '../records/database.ts'
import { fresh, isKept, keptText, type LibraryEntry, MAX_ENTRIES, recall, remember } from '../records/entries.ts'
import { type Keeping, libraryStore } from '../records/libraryStore.ts'

/** How long after the last change the canvas is saved. */
const SETTLED_MS = 500

export const library = openLibraryDatabase()

/** What this page knows of the scenarios in the library that it has opened. */
const openedEntries = part(() => ({
  /** The scenario that each opening of this visit shows: undo may go back to an earlier one. */
  bound: new Map<number, string>(),
  /** Those scenarios as this page last read or wrote them, without the ones that were deleted here. */
  known: new Map<string, Pick<Kept, 'revision' | 'text'>>(),
  /** Their versions by another page (null: deleted), until the user has chosen what to do. */
  elsewhere: new Map<string, Kept | null>(),
  listeners: new Set<() => void>(),
  /** The channel to the other pages; null while there is none. */
  channel: null as BroadcastChannel | null,
  /** Resolves when the last save has ended. */
  writing: Promise.resolve() as Promise<unknown>,
}))

/** Saves the canvas as it is edited, if its scenario is in the library. Returns an unsubscribe function. */
export function keepLibrary(session: Session): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    clearTimeout(timer)
    timer = undefined
    void saveNow(session, scenarioStore(session).getState())
  }
  let resumed = false
  const left = () => {
    save()
    // Until then it is not known which scenario is on the canvas: what was remembered stays.
    if (resumed || entryOnCanvas(session) !== null) rememberNow(session)
  }
  channelToOthers(session).addEventListener('message', ({ data }) => void changedElsewhere(session, String(data)))
  const end = scenarioStore(session).subscribe((state, before) => {
    if (state.opened !== before.opened) {
      if (timer !== undefined) void saveNow(session, before)
      show(session)
    } else if (scenarioToSave(state) === scenarioToSave(before)) return
    clearTimeout(timer)
    timer = setTimeout(save, SETTLED_MS)
  })
  const stay = session.address.onLeave(left)
  void resume(session).then(() => {
    resumed = true
  })
  return () => {
    left()
    stay()
    end()
    const entries = openedEntries(session)
    entries.channel?.close()
    entries.channel = null
  }
}

/** Calls `hear` after every change of the library, by this page or another. Returns an unsubscribe function. */
export function onLibrary(session: Session, hear: () => void): () => void {
  const { listeners } = openedEntries(session)
  listeners.add(hear)
  return () => listeners.delete(hear)
}

const canvasText = (session: Session, step: CanvasStep = scenarioStore(session).getState()) =>
  keptText(scenarioToSave(step))

/** Returns the id of the scenario on the canvas; null if it is not in the library. */
export function entryOnCanvas(session: Session): string | null {
  const { bound, known } = openedEntries(session)
  const id = bound.get(scenarioStore(session).getState().opened)
  return id !== undefined && known.has(id) ? id : null
}

/** Keeps the canvas as a new scenario of the library. If its scenario is in the library already, it becomes a copy. */
export async function saveAsNew(session: Session): Promise<void> {
  const { bound, known } = openedEntries(session)
  const { opened, shown } = scenarioStore(session).getState()
  if (bound.has(opened) && shown === null)
    editOrShowProblems(session, (now) => setOptions(now, { title: copyTitle(now.title) }))
  const text = canvasText(session)
  libraryStore(session).setState({ keeping: { state: 'saving' } })
  try {
    const kept = fresh(text)
    await keepScenarios(session, kept)
    known.set(kept.id, kept)
    bound.set(opened, kept.id)
    show(session)
    rememberNow(session)
  } catch (error) {
    libraryStore(session).setState({ keeping: { state: 'failed', message: failure(error) } })
  }
}

export function copyTitle(title: string): string {
  return [...withoutIsolates(t('{title}, copy', { title }))].slice(0, MAX_NAME).join('')
}

/** Puts new scenarios into the library, one after the other. Rejects with a RangeError if there is no room for the next. */
export async function keepScenarios(session: Session, ...all: readonly Kept[]): Promise<void> {
  let room = MAX_ENTRIES - (await library.count())
  try {
    for (const kept of all) {
      refuseTooLong(kept.text)
      if (room-- <= 0)
        throw new RangeError(t('there are {n} scenarios in it, and it takes no more', { n: count(MAX_ENTRIES) }))
      await library.put(kept, 0)
    }
  } finally {
    announce(session, all.length === 1 ? all[0].id : '')
  }
}

function refuseTooLong(text: string): void {
  if (text.length <= MAX_TEXT) return
  throw new RangeError(
    t('the scenario has {n} characters; at most {most} can be kept', { n: count(text.length), most: count(MAX_TEXT) }),
  )
}

/** Opens a scenario of the library. Edits are saved there from now on. */
export function openEntry(session: Session, { id, revision, text, drawn: kept }: LibraryEntry): void {
  if (kept.draftProblems.length === 0) openScenario(session, kept.scenario)
  else {
    // The draft has problems: it goes on the canvas, and an empty pipeline is played instead.
    openScenario(session, { ...emptyScenario(), title: kept.scenario.title })
    restoreDraft(session, kept)
  }
  const { bound, known, elsewhere } = openedEntries(session)
  elsewhere.delete(id)
  known.set(id, { revision, text })
  bound.set(scenarioStore(session).getState().opened, id)
  show(session)
  rememberNow(session)
}

/** Changes the title of a scenario. Returns false if another page was first. */
export async function retitle(session: Session, entry: LibraryEntry, title: string): Promise<boolean> {
  const { known, elsewhere } = openedEntries(session)
  const { id, revision, drawn } = entry
  if (entryOnCanvas(session) === id && scenarioStore(session).getState().shown === null) {
    editOrShowProblems(session, (now) => setOptions(now, { title }))
    await saveNow(session, scenarioStore(session).getState())
    return !elsewhere.has(id)
  }
  const next = { id, revision: revision + 1, changed: Date.now(), text: keptText({ ...drawn.scenario, title }) }
  if ('other' in (await library.put(next, revision))) return false
  if (known.has(id)) known.set(id, next)
  announce(session, id)
  return true
}

/** Deletes a scenario. The canvas keeps it if it shows it. Returns false if another page was first. */
export async function removeEntry(session: Session, { id, revision }: Pick<Kept, 'id' | 'revision'>): Promise<boolean> {
  const entries = openedEntries(session)
  await entries.writing
  const outcome = await library.remove(id, entries.known.get(id)?.revision ?? revision)
  if ('other' in outcome && outcome.other !== null) return false
  forgetEntry(session, id)
  announce(session, id)
  return true
}

/** Puts a deleted scenario back under its own id, since the canvas may still show it. */
export async function putBack(session: Session, kept: Kept): Promise<void> {
  const again = { ...kept, revision: kept.revision + 1 }
  await keepScenarios(session, again)
  openedEntries(session).known.set(kept.id, again)
  show(session)
  await saveNow(session, scenarioStore(session).getState())
}

export function forgetEntry(session: Session, id: string): void {
  const { known, elsewhere } = openedEntries(session)
  known.delete(id)
  elsewhere.delete(id)
  show(session)
}

export async function retrySave(session: Session): Promise<void> {
  if (entryOnCanvas(session) === null) await saveAsNew(session)
  else await saveNow(session, scenarioStore(session).getState())
}

/** Saves a step of the canvas if its scenario is in the library and has changed. Saves run one after the other. */
function saveNow(session: Session, step: CanvasStep & { readonly opened: number }): Promise<void> {
  const entries = openedEntries(session)
  const { bound, known, elsewhere } = entries
  const present = entries.writing.then(async () => {
    const id = bound.get(step.opened)
    const kept = id === undefined ? undefined : known.get(id)
    if (id === undefined || kept === undefined || elsewhere.has(id)) return
    const text = canvasText(session, step)
    if (text === kept.text) return show(session)
    show(session, { state: 'saving' })
    try {
      refuseTooLong(text)
      const next = { id, revision: kept.revision + 1, changed: Date.now(), text }
      const outcome = await library.put(next, kept.revision)
      if ('other' in outcome) elsewhere.set(id, outcome.other)
      else {
        known.set(id, next)
        announce(session, id)
      }
      show(session)
      rememberNow(session)
    } catch (error) {
      show(session, { state: 'failed', message: failure(error) })
    }
  })
  entries.writing = present
  return present
}

/** Notes that another page has changed a scenario. If this page has opened it, it does not save over that. */
async function changedElsewhere(session: Session, id: string): Promise<void> {
  const { known, elsewhere, listeners, writing } = openedEntries(session)
  for (const hear of listeners) hear()
  await writing
  const mine = known.get(id)
  if (mine === undefined) return
  const record = await library.get(id).catch(() => undefined)
  if (record !== undefined && (!isKept(record) || record.revision === mine.revision)) return
  const other = record ?? null
  if (other !== null && other.text === (entryOnCanvas(session) === id ? canvasText(session) : mine.text)) {
    known.set(id, other)
    elsewhere.delete(id)
  } else elsewhere.set(id, other)
  show(session)
}

function channelToOthers(session: Session): BroadcastChannel {
  const entries = openedEntries(session)
  entries.channel ??= new BroadcastChannel('apportion-library')
  return entries.channel
}

function announce(session: Session, id: string): void {
  channelToOthers(session).postMessage(id)
  for (const hear of openedEntries(session).listeners) hear()
}

function show(session: Session, now: Keeping = { state: 'saved' }): void {
  const id = entryOnCanvas(session)
  const other = id === null ? undefined : openedEntries(session).elsewhere.get(id)
  libraryStore(session).setState({
    keeping: id === null ? null : other === undefined ? now : { state: 'elsewhere', id, other },
  })
}

function rememberNow(session: Session): void {
  const id = entryOnCanvas(session)
  const revision = id === null ? 0 : (openedEntries(session).known.get(id)?.revision ?? 0)
  remember(id === null ? null : { id, revision, sum: checksum(canvasText(session)) })
}

/** Connects the canvas to the scenario of the library that it showed at the last visit, if both are unchanged. */
async function resume(session: Session): Promise<void> {
  const { bound, known, elsewhere } = openedEntries(session)
  const { opened } = scenarioStore(session).getState()
  const text = canvasText(session)
  const last = recall(checksum(text))
  if (last === null || bound.has(opened)) return
  try {
    const record = await library.get(last.id)
    if (record === undefined || !isKept(record) || bound.has(opened)) return
    bound.set(opened, last.id)
    known.set(last.id, record)
    if (record.revision !== last.revision && record.text !== text) elsewhere.set(last.id, record)
    show(session)
    await saveNow(session, scenarioStore(session).getState())
  } catch {
    // The library cannot be read. Nothing is lost: the canvas has everything.
  }
}
