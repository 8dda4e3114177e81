import { bare } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { setOptions } from '../../../scenario/edit/edits.ts'
import { checksum } from '../../../scenario/link/codec.ts'
import { MAX_NAME, MAX_TEXT } from '../../../scenario/model/limits.ts'
import { count } from '../../../views/drawing/format.ts'
import { openScenario } from '../../session/run/runStore.ts'
import { emptyScenario } from '../../session/scenario/emptyScenario.ts'
import { bringBack, type CanvasStep, editOrRefuse, scenarioStore, scenarioToSave } from '../../session/scenario/scenarioStore.ts'
import { part, type Session } from '../../session/session.ts'
import { type Kept, openLibraryDatabase } from './database.ts'
import { fresh, isKept, keptText, type LibraryEntry, MAX_ENTRIES } from './entries.ts'
import { type Keeping, libraryStore } from './libraryStore.ts'
import { recall, remember } from './remembered.ts'
import { failure } from './storageWords.ts'

/** What is on the canvas is saved so long after the last change. */
const SETTLED_MS = 500

/** The library of this browser. */
export const library = openLibraryDatabase()

/** Which scenario of the library each opening of this visit shows: undo may go back to an earlier one. */
const bound = part(() => new Map<number, string>())
/** Those scenarios as this page last read or wrote them; what was deleted here is in it no more. */
const known = part(() => new Map<string, Pick<Kept, 'revision' | 'text'>>())
/** What another page has made of them (null: deleted), until somebody has said what to do. */
const elsewhere = part(() => new Map<string, Kept | null>())
const heard = part(() => new Set<() => void>())
interface Own {
  channel: BroadcastChannel | null
  writing: Promise<unknown>
}

const own = part(
  (): Own => ({
    channel: null,
    writing: Promise.resolve(),
  }),
)

/** Saves what is on the canvas as it is edited, if it is in the library. Returns what ends it. */
export function keepLibrary(session: Session): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    clearTimeout(timer)
    timer = undefined
    void saveNow(session, scenarioStore(session).getState())
  }
  const left = () => {
    save()
    rememberNow(session)
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
  addEventListener('pagehide', left)
  void resume(session)
  return () => {
    left()
    removeEventListener('pagehide', left)
    end()
    own(session).channel?.close()
    own(session).channel = null
  }
}

/** Hears of every change of the library, by this page or another. Returns what ends it. */
export function onLibrary(session: Session, hear: () => void): () => void {
  heard(session).add(hear)
  return () => heard(session).delete(hear)
}

const canvasText = (session: Session, step: CanvasStep = scenarioStore(session).getState()) => keptText(scenarioToSave(step))

/** The scenario of the library that is on the canvas; null: it is not in it. */
export function entryOnCanvas(session: Session): string | null {
  const id = bound(session).get(scenarioStore(session).getState().opened)
  return id !== undefined && known(session).has(id) ? id : null
}

/** Keeps what is on the canvas as a new scenario of the library, which it is from then on. One that is in it already becomes a copy. */
export async function keepNew(session: Session): Promise<void> {
  const { opened, shown } = scenarioStore(session).getState()
  if (bound(session).has(opened) && shown === null) editOrRefuse(session, (now) => setOptions(now, { title: copyTitle(now.title) }))
  const text = canvasText(session)
  libraryStore(session).setState({ keeping: { state: 'saving' } })
  try {
    const kept = fresh(text)
    await keepScenarios(session, kept)
    known(session).set(kept.id, kept)
    bound(session).set(opened, kept.id)
    show(session)
    rememberNow(session)
  } catch (error) {
    libraryStore(session).setState({ keeping: { state: 'failed', message: failure(error) } })
  }
}

export function copyTitle(title: string): string {
  return [...bare(t('{title}, copy', { title }))].slice(0, MAX_NAME).join('')
}

/** Puts scenarios into the library that are not in it, one after the other. Rejects where there is no room for the next. */
export async function keepScenarios(session: Session, ...all: readonly Kept[]): Promise<void> {
  let room = MAX_ENTRIES - (await library.count())
  try {
    for (const kept of all) {
      refuseTooLong(kept.text)
      if (room-- <= 0) throw new RangeError(t('there are {n} scenarios in it, and it takes no more', { n: count(MAX_ENTRIES) }))
      await library.put(kept, 0)
    }
  } finally {
    announce(session, all.length === 1 ? all[0].id : '')
  }
}

function refuseTooLong(text: string): void {
  if (text.length <= MAX_TEXT) return
  throw new RangeError(t('the scenario has {n} characters; at most {most} can be kept', { n: count(text.length), most: count(MAX_TEXT) }))
}

/** Opens a scenario of the library; what is edited from now on is saved there. */
export function openEntry(session: Session, { id, revision, text, drawn: kept }: LibraryEntry): void {
  if (kept.faults.length === 0) openScenario(session, kept.scenario)
  else {
    // It was left half drawn: that goes on the canvas, and an empty pipeline stands for what can be played.
    openScenario(session, { ...emptyScenario(), title: kept.scenario.title })
    bringBack(session, kept)
  }
  elsewhere(session).delete(id)
  known(session).set(id, { revision, text })
  bound(session).set(scenarioStore(session).getState().opened, id)
  show(session)
  rememberNow(session)
}

/** Changes the title of a scenario of the library. False: another page was first. */
export async function retitle(session: Session, entry: LibraryEntry, title: string): Promise<boolean> {
  const { id, revision, drawn } = entry
  if (entryOnCanvas(session) === id && scenarioStore(session).getState().shown === null) {
    editOrRefuse(session, (now) => setOptions(now, { title }))
    await saveNow(session, scenarioStore(session).getState())
    return !elsewhere(session).has(id)
  }
  const next = { id, revision: revision + 1, changed: Date.now(), text: keptText({ ...drawn.scenario, title }) }
  if ('other' in (await library.put(next, revision))) return false
  if (known(session).has(id)) known(session).set(id, next)
  announce(session, id)
  return true
}

/** Takes a scenario out of the library. What is on the canvas of it stays there. False: another page was first. */
export async function removeEntry(session: Session, { id, revision }: Pick<Kept, 'id' | 'revision'>): Promise<boolean> {
  await own(session).writing
  const outcome = await library.remove(id, known(session).get(id)?.revision ?? revision)
  if ('other' in outcome && outcome.other !== null) return false
  letGo(session, id)
  announce(session, id)
  return true
}

/** What was deleted is put back under its own name: the canvas may still show it. */
export async function putBack(session: Session, kept: Kept): Promise<void> {
  const again = { ...kept, revision: kept.revision + 1 }
  await keepScenarios(session, again)
  known(session).set(kept.id, again)
  show(session)
  await saveNow(session, scenarioStore(session).getState())
}

/** What is on the canvas of it is in the library no more. */
export function letGo(session: Session, id: string): void {
  known(session).delete(id)
  elsewhere(session).delete(id)
  show(session)
}

/** Tries once more to save what could not be saved. */
export async function tryAgain(session: Session): Promise<void> {
  if (entryOnCanvas(session) === null) await keepNew(session)
  else await saveNow(session, scenarioStore(session).getState())
}

/** Saves a step of the canvas if it is one of a scenario in the library and says something new. One after the other. */
function saveNow(session: Session, step: CanvasStep & { readonly opened: number }): Promise<void> {
  const present = own(session).writing.then(async () => {
    const id = bound(session).get(step.opened)
    const kept = id === undefined ? undefined : known(session).get(id)
    if (id === undefined || kept === undefined || elsewhere(session).has(id)) return
    const text = canvasText(session, step)
    if (text === kept.text) return show(session)
    show(session, { state: 'saving' })
    try {
      refuseTooLong(text)
      const next = { id, revision: kept.revision + 1, changed: Date.now(), text }
      const outcome = await library.put(next, kept.revision)
      if ('other' in outcome) elsewhere(session).set(id, outcome.other)
      else {
        known(session).set(id, next)
        announce(session, id)
      }
      show(session)
      rememberNow(session)
    } catch (error) {
      show(session, { state: 'failed', message: failure(error) })
    }
  })
  own(session).writing = present
  return present
}

/** Another page has changed a scenario: where it is one of ours, we may not save over it. */
async function changedElsewhere(session: Session, id: string): Promise<void> {
  for (const hear of heard(session)) hear()
  await own(session).writing
  const mine = known(session).get(id)
  if (mine === undefined) return
  const record = await library.get(id).catch(() => undefined)
  if (record !== undefined && (!isKept(record) || record.revision === mine.revision)) return
  const other = record ?? null
  if (other !== null && other.text === (entryOnCanvas(session) === id ? canvasText(session) : mine.text)) {
    known(session).set(id, other)
    elsewhere(session).delete(id)
  } else elsewhere(session).set(id, other)
  show(session)
}

function channelToOthers(session: Session): BroadcastChannel {
  const channel = own(session).channel ?? new BroadcastChannel('apportion-library')
  own(session).channel = channel
  return channel
}

function announce(session: Session, id: string): void {
  channelToOthers(session).postMessage(id)
  for (const hear of heard(session)) hear()
}

/** How it stands with what is on the canvas; `now`: as has just been found. */
function show(session: Session, now: Keeping = { state: 'saved' }): void {
  const id = entryOnCanvas(session)
  const other = id === null ? undefined : elsewhere(session).get(id)
  libraryStore(session).setState({ keeping: id === null ? null : other === undefined ? now : { state: 'elsewhere', id, other } })
}

function rememberNow(session: Session): void {
  const id = entryOnCanvas(session)
  const revision = id === null ? 0 : (known(session).get(id)?.revision ?? 0)
  remember(id === null ? null : { id, revision, sum: checksum(canvasText(session)) })
}

/** What was on the canvas at the last visit was a scenario of the library: it is one again, if both are still what they were. */
async function resume(session: Session): Promise<void> {
  const { opened } = scenarioStore(session).getState()
  const text = canvasText(session)
  const last = recall(checksum(text))
  if (last === null || bound(session).has(opened)) return
  try {
    const record = await library.get(last.id)
    if (record === undefined || !isKept(record) || bound(session).has(opened)) return
    bound(session).set(opened, last.id)
    known(session).set(last.id, record)
    if (record.revision !== last.revision && record.text !== text) elsewhere(session).set(last.id, record)
    show(session)
    await saveNow(session, scenarioStore(session).getState())
  } catch {
    // Where nothing can be read nothing is said: the canvas has all of it.
  }
}
