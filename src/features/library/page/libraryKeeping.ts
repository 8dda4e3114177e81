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
import { MAX_NAME } from '../../../scenario/model/limits.ts'
import { count } from '../../../views/drawing/format.ts'
import { failure, type Kept, openLibraryDatabase } from '../records/database.ts'
import {
  fresh,
  isKept,
  keptText,
  type LibraryEntry,
  MAX_ENTRIES,
  readEntry,
  recall,
  remember,
  whyTooLong,
} from '../records/entries.ts'
import { type Keeping, libraryStore } from '../records/libraryStore.ts'

/** How long after the last change the canvas is saved. */
const SETTLED_MS = 500

export const library = openLibraryDatabase()

/** What this page knows of the entries of the library that it has opened. */
const openedEntries = part(() => ({
  /** The entry that each opening of this visit shows: undo may go back to an earlier one. */
  bound: new Map<number, string>(),
  /** Those entries as this page last read or wrote them, without the ones that were deleted here. */
  known: new Map<string, Pick<Kept, 'revision' | 'text'>>(),
  listeners: new Set<() => void>(),
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
  /** The first scenario that is opened may be the one of the address, which is read after a reload too. */
  let opened = false
  const resumeHere = () =>
    void resume(session).then(() => {
      resumed = true
    })
  const left = () => {
    save()
    // Until then it is not known which scenario is on the canvas: what was remembered stays.
    if (resumed || entryOnCanvas(session) !== null) rememberNow(session)
  }
  const end = scenarioStore(session).subscribe((state, previous) => {
    if (state.opened !== previous.opened) {
      if (timer !== undefined) void saveNow(session, previous)
      show(session)
      // After a reload the link is opened first, and then edited to what was left.
      if (!opened) queueMicrotask(resumeHere)
      opened = true
    } else if (scenarioToSave(state) === scenarioToSave(previous)) return
    clearTimeout(timer)
    timer = setTimeout(save, SETTLED_MS)
  })
  const stay = session.address.onLeave(left)
  resumeHere()
  return () => {
    left()
    stay()
    end()
  }
}

/** Calls `hear` after every change of the library by this page. Returns an unsubscribe function. */
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

/** Keeps the canvas as a new entry of the library. `isCopy`: its entry stays, so the title says that this is a copy. */
export async function saveAsNew(
  session: Session,
  isCopy = openedEntries(session).bound.has(scenarioStore(session).getState().opened),
): Promise<void> {
  const { opened, shown } = scenarioStore(session).getState()
  if (isCopy && shown === null) editOrShowProblems(session, (now) => setOptions(now, { title: copyTitle(now.title) }))
  libraryStore(session).setState({ keeping: { state: 'saving' } })
  try {
    await bindToNew(session, opened, canvasText(session))
    show(session)
    rememberNow(session)
  } catch (error) {
    show(session, { state: 'failed', message: failure(error) })
  }
}

/** Keeps a text as a new entry, to which this opening belongs from now on. */
async function bindToNew(session: Session, opened: number, text: string): Promise<void> {
  const { bound, known } = openedEntries(session)
  const kept = fresh(text)
  await keepScenarios(session, kept)
  known.set(kept.id, kept)
  bound.set(opened, kept.id)
}

export function copyTitle(title: string): string {
  return [...withoutIsolates(t('{title}, copy', { title }))].slice(0, MAX_NAME).join('')
}

/** Puts new scenarios into the library, one after the other. Rejects with a RangeError if the library is full. */
export async function keepScenarios(session: Session, ...all: readonly Kept[]): Promise<void> {
  let free = MAX_ENTRIES - (await library.count())
  try {
    for (const kept of all) {
      refuseTooLong(kept.text)
      if (free-- <= 0)
        throw new RangeError(t('there are {n} scenarios in it, and it takes no more', { n: count(MAX_ENTRIES) }))
      await library.put(kept, 0)
    }
  } finally {
    notifyListeners(session)
  }
}

function refuseTooLong(text: string): void {
  const reason = whyTooLong(text)
  if (reason !== null) throw new RangeError(reason)
}

/** Opens a scenario of the library. Edits are saved there from now on. */
export function openEntry(session: Session, { id, revision, drawn: kept }: LibraryEntry): void {
  if (kept.draftProblems.length === 0) openScenario(session, kept.scenario)
  else {
    // The draft has problems: it goes on the canvas, and an empty pipeline is played instead.
    openScenario(session, { ...emptyScenario(), title: kept.scenario.title })
    restoreDraft(session, kept)
  }
  const { bound, known } = openedEntries(session)
  // The text of an earlier version may hold what is gone. It stays until the person changes the scenario.
  known.set(id, { revision, text: canvasText(session) })
  bound.set(scenarioStore(session).getState().opened, id)
  show(session)
  rememberNow(session)
}

/** Changes the title of an entry. Rejects with a RangeError if another tab has changed the entry. */
export async function retitle(session: Session, entry: LibraryEntry, title: string): Promise<void> {
  const { known } = openedEntries(session)
  const { id, revision, drawn } = entry
  if (entryOnCanvas(session) === id && scenarioStore(session).getState().shown === null) {
    editOrShowProblems(session, (now) => setOptions(now, { title }))
    return saveNow(session, scenarioStore(session).getState())
  }
  const next = { id, revision: revision + 1, changed: Date.now(), text: keptText({ ...drawn.scenario, title }) }
  if (!(await library.put(next, revision))) throw new RangeError(t('another tab has changed it'))
  if (known.has(id)) known.set(id, next)
  notifyListeners(session)
}

/** Deletes an entry; the canvas keeps its scenario if it shows it. Returns the deleted record; null if it was gone. */
export async function removeEntry(session: Session, id: string): Promise<Kept | null> {
  const { writing, known } = openedEntries(session)
  await writing
  const removed = await library.remove(id)
  known.delete(id)
  show(session)
  notifyListeners(session)
  return removed
}

/** Puts a deleted scenario back under its own id, since the canvas may still show it. */
export async function putBack(session: Session, kept: Kept): Promise<void> {
  const again = { ...kept, revision: kept.revision + 1 }
  await keepScenarios(session, again)
  openedEntries(session).known.set(kept.id, again)
  show(session)
  await saveNow(session, scenarioStore(session).getState())
}

export function retrySave(session: Session): Promise<void> {
  return entryOnCanvas(session) === null ? saveAsNew(session) : saveNow(session, scenarioStore(session).getState())
}

/**
 * Saves a step of the canvas if its entry has changed. Saves run one after the other. If another tab has changed or deleted the entry, the
 * canvas becomes an entry of its own.
 */
function saveNow(session: Session, step: CanvasStep & { readonly opened: number }): Promise<void> {
  const entries = openedEntries(session)
  const { bound, known } = entries
  const saved = entries.writing.then(async () => {
    const id = bound.get(step.opened)
    const kept = id === undefined ? undefined : known.get(id)
    if (id === undefined || kept === undefined) return
    const text = canvasText(session, step)
    if (text === kept.text) return show(session)
    show(session, { state: 'saving' })
    try {
      refuseTooLong(text)
      const next = { id, revision: kept.revision + 1, changed: Date.now(), text }
      if (await library.put(next, kept.revision)) {
        known.set(id, next)
        notifyListeners(session)
      } else {
        const other = await library.get(id)
        // The page before a reload may have saved the same.
        if (isKept(other) && other.text === text) known.set(id, other)
        else if (step.opened !== scenarioStore(session).getState().opened) await bindToNew(session, step.opened, text)
        else return await saveAsNew(session, other !== undefined)
      }
      show(session)
      rememberNow(session)
    } catch (error) {
      show(session, { state: 'failed', message: failure(error) })
    }
  })
  entries.writing = saved
  return saved
}

function notifyListeners(session: Session): void {
  for (const hear of openedEntries(session).listeners) hear()
}

function show(session: Session, keeping: Keeping = { state: 'saved' }): void {
  const isKept = entryOnCanvas(session) !== null
  libraryStore(session).setState({ keeping: isKept || keeping.state === 'failed' ? keeping : null })
}

function rememberNow(session: Session): void {
  const id = entryOnCanvas(session)
  const revision = id === null ? 0 : (openedEntries(session).known.get(id)?.revision ?? 0)
  remember(id === null ? null : { id, revision, sum: checksum(canvasText(session)) })
}

/** Connects the canvas to the entry that it showed at the last visit, unless another tab has changed that entry since. */
async function resume(session: Session): Promise<void> {
  const { bound, known } = openedEntries(session)
  const { opened } = scenarioStore(session).getState()
  const text = canvasText(session)
  const last = recall(checksum(text))
  if (last === null || bound.has(opened)) return
  try {
    const record = await library.get(last.id)
    if (record === undefined || !isKept(record) || bound.has(opened)) return
    if (record.revision !== last.revision && record.text !== text) return
    bound.set(opened, last.id)
    // The text of an earlier version may hold what is gone. It stays until the person changes the scenario.
    const entry = readEntry(record)
    const isShown = 'drawn' in entry && keptText(entry.drawn.scenario) === text
    known.set(last.id, isShown ? { ...record, text } : record)
    show(session)
    await saveNow(session, scenarioStore(session).getState())
  } catch {
    // The library cannot be read. Nothing is lost: the canvas has everything.
  }
}
