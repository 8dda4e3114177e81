import { bare } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { setOptions } from '../../../scenario/edit/edits.ts'
import { checksum } from '../../../scenario/link/codec.ts'
import { MAX_NAME, MAX_TEXT } from '../../../scenario/model/limits.ts'
import { count } from '../../../views/drawing/format.ts'
import { openScenario } from '../../session/run/runStore.ts'
import { emptyScenario } from '../../session/scenario/emptyScenario.ts'
import { bringBack, type CanvasStep, edit, scenarioStore, scenarioToSave } from '../../session/scenario/scenarioStore.ts'
import { type Kept, openLibraryDatabase } from './database.ts'
import { fresh, isKept, type LibraryEntry, MAX_ENTRIES, scenarioText } from './entries.ts'
import { type Keeping, libraryStore } from './libraryStore.ts'
import { recall, remember } from './remembered.ts'
import { failure } from './storageWords.ts'

/** What is on the canvas is saved so long after the last change. */
const SETTLED_MS = 500

/** The library of this browser. */
export const library = openLibraryDatabase()

/** Which scenario of the library each opening of this visit shows: undo may go back to an earlier one. */
const bound = new Map<number, string>()
/** Those scenarios as this page last read or wrote them; what was deleted here is in it no more. */
const known = new Map<string, Pick<Kept, 'revision' | 'text'>>()
/** What another page has made of them (null: deleted), until somebody has said what to do. */
const elsewhere = new Map<string, Kept | null>()
const heard = new Set<() => void>()
let channel: BroadcastChannel | null = null
let writing: Promise<unknown> = Promise.resolve()

/** Saves what is on the canvas as it is edited, if it is in the library. Returns what ends it. */
export function keepLibrary(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    clearTimeout(timer)
    timer = undefined
    void saveNow(scenarioStore.getState())
  }
  const left = () => {
    save()
    rememberNow()
  }
  channelToOthers().addEventListener('message', ({ data }) => void changedElsewhere(String(data)))
  const end = scenarioStore.subscribe((state, before) => {
    if (state.opened !== before.opened) {
      if (timer !== undefined) void saveNow(before)
      show()
    } else if (scenarioToSave(state) === scenarioToSave(before)) return
    clearTimeout(timer)
    timer = setTimeout(save, SETTLED_MS)
  })
  addEventListener('pagehide', left)
  void resume()
  return () => {
    left()
    removeEventListener('pagehide', left)
    end()
    channel?.close()
    channel = null
  }
}

/** Hears of every change of the library, by this page or another. Returns what ends it. */
export function onLibrary(hear: () => void): () => void {
  heard.add(hear)
  return () => heard.delete(hear)
}

const canvasText = (step: CanvasStep = scenarioStore.getState()) => scenarioText(scenarioToSave(step))

/** The scenario of the library that is on the canvas; null: it is not in it. */
export function entryOnCanvas(): string | null {
  const id = bound.get(scenarioStore.getState().opened)
  return id !== undefined && known.has(id) ? id : null
}

/** Keeps what is on the canvas as a new scenario of the library, which it is from then on. One that is in it already becomes a copy. */
export async function keepNew(): Promise<void> {
  const { opened, shown } = scenarioStore.getState()
  if (bound.has(opened) && shown === null) edit((now) => setOptions(now, { title: copyTitle(now.title) }))
  const text = canvasText()
  libraryStore.setState({ keeping: { state: 'saving' } })
  try {
    const kept = fresh(text)
    await keepScenarios(kept)
    known.set(kept.id, kept)
    bound.set(opened, kept.id)
    show()
    rememberNow()
  } catch (error) {
    libraryStore.setState({ keeping: { state: 'failed', message: failure(error) } })
  }
}

export function copyTitle(title: string): string {
  return [...bare(t('{title}, copy', { title }))].slice(0, MAX_NAME).join('')
}

/** Puts scenarios into the library that are not in it, one after the other. Rejects where there is no room for the next. */
export async function keepScenarios(...all: readonly Kept[]): Promise<void> {
  let room = MAX_ENTRIES - (await library.count())
  try {
    for (const kept of all) {
      refuseTooLong(kept.text)
      if (room-- <= 0) throw new RangeError(t('there are {n} scenarios in it, and it takes no more', { n: count(MAX_ENTRIES) }))
      await library.put(kept, 0)
    }
  } finally {
    announce(all.length === 1 ? all[0].id : '')
  }
}

function refuseTooLong(text: string): void {
  if (text.length <= MAX_TEXT) return
  throw new RangeError(t('the scenario has {n} characters; at most {most} can be kept', { n: count(text.length), most: count(MAX_TEXT) }))
}

/** Opens a scenario of the library; what is edited from now on is saved there. */
export function openEntry({ id, revision, text, drawn: kept }: LibraryEntry): void {
  if (kept.faults.length === 0) openScenario(kept.scenario)
  else {
    // It was left half drawn: that goes on the canvas, and an empty pipeline stands for what can be played.
    openScenario({ ...emptyScenario(), title: kept.scenario.title })
    bringBack(kept)
  }
  elsewhere.delete(id)
  known.set(id, { revision, text })
  bound.set(scenarioStore.getState().opened, id)
  show()
  rememberNow()
}

/** Changes the title of a scenario of the library. False: another page was first. */
export async function retitle(entry: LibraryEntry, title: string): Promise<boolean> {
  const { id, revision, drawn } = entry
  if (entryOnCanvas() === id && scenarioStore.getState().shown === null) {
    edit((now) => setOptions(now, { title }))
    await saveNow(scenarioStore.getState())
    return !elsewhere.has(id)
  }
  const next = { id, revision: revision + 1, changed: Date.now(), text: scenarioText({ ...drawn.scenario, title }) }
  if ('other' in (await library.put(next, revision))) return false
  if (known.has(id)) known.set(id, next)
  announce(id)
  return true
}

/** Takes a scenario out of the library. What is on the canvas of it stays there. False: another page was first. */
export async function removeEntry({ id, revision }: Pick<Kept, 'id' | 'revision'>): Promise<boolean> {
  await writing
  const outcome = await library.remove(id, known.get(id)?.revision ?? revision)
  if ('other' in outcome && outcome.other !== null) return false
  letGo(id)
  announce(id)
  return true
}

/** What was deleted is put back under its own name: the canvas may still show it. */
export async function putBack(kept: Kept): Promise<void> {
  const again = { ...kept, revision: kept.revision + 1 }
  await keepScenarios(again)
  known.set(kept.id, again)
  show()
  await saveNow(scenarioStore.getState())
}

/** What is on the canvas of it is in the library no more. */
export function letGo(id: string): void {
  known.delete(id)
  elsewhere.delete(id)
  show()
}

/** Tries once more to save what could not be saved. */
export async function tryAgain(): Promise<void> {
  if (entryOnCanvas() === null) await keepNew()
  else await saveNow(scenarioStore.getState())
}

/** Saves a step of the canvas if it is one of a scenario in the library and says something new. One after the other. */
function saveNow(step: CanvasStep & { readonly opened: number }): Promise<void> {
  const present = writing.then(async () => {
    const id = bound.get(step.opened)
    const kept = id === undefined ? undefined : known.get(id)
    if (id === undefined || kept === undefined || elsewhere.has(id)) return
    const text = canvasText(step)
    if (text === kept.text) return show()
    show({ state: 'saving' })
    try {
      refuseTooLong(text)
      const next = { id, revision: kept.revision + 1, changed: Date.now(), text }
      const outcome = await library.put(next, kept.revision)
      if ('other' in outcome) elsewhere.set(id, outcome.other)
      else {
        known.set(id, next)
        announce(id)
      }
      show()
      rememberNow()
    } catch (error) {
      show({ state: 'failed', message: failure(error) })
    }
  })
  writing = present
  return present
}

/** Another page has changed a scenario: where it is one of ours, we may not save over it. */
async function changedElsewhere(id: string): Promise<void> {
  for (const hear of heard) hear()
  await writing
  const mine = known.get(id)
  if (mine === undefined) return
  const record = await library.get(id).catch(() => undefined)
  if (record !== undefined && (!isKept(record) || record.revision === mine.revision)) return
  const other = record ?? null
  if (other !== null && other.text === (entryOnCanvas() === id ? canvasText() : mine.text)) {
    known.set(id, other)
    elsewhere.delete(id)
  } else elsewhere.set(id, other)
  show()
}

function channelToOthers(): BroadcastChannel {
  channel ??= new BroadcastChannel('apportion-library')
  return channel
}

function announce(id: string): void {
  channelToOthers().postMessage(id)
  for (const hear of heard) hear()
}

/** How it stands with what is on the canvas; `now`: as has just been found. */
function show(now: Keeping = { state: 'saved' }): void {
  const id = entryOnCanvas()
  const other = id === null ? undefined : elsewhere.get(id)
  libraryStore.setState({ keeping: id === null ? null : other === undefined ? now : { state: 'elsewhere', id, other } })
}

function rememberNow(): void {
  const id = entryOnCanvas()
  const revision = id === null ? 0 : (known.get(id)?.revision ?? 0)
  remember(id === null ? null : { id, revision, sum: checksum(canvasText()) })
}

/** What was on the canvas at the last visit was a scenario of the library: it is one again, if both are still what they were. */
async function resume(): Promise<void> {
  const { opened } = scenarioStore.getState()
  const text = canvasText()
  const last = recall(checksum(text))
  if (last === null || bound.has(opened)) return
  try {
    const record = await library.get(last.id)
    if (record === undefined || !isKept(record) || bound.has(opened)) return
    bound.set(opened, last.id)
    known.set(last.id, record)
    if (record.revision !== last.revision && record.text !== text) elsewhere.set(last.id, record)
    show()
    await saveNow(scenarioStore.getState())
  } catch {
    // Where nothing can be read nothing is said: the canvas has all of it.
  }
}
