import { frontPreset } from '../../../scenario/presets/preset.ts'
import { endAll } from '../../base/browser/frames.ts'
import { openDialog, setFront, showingStore } from '../../session/page/showing.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { part, type Session } from '../../session/session.ts'

/** Data of an entry in the window's history. It is not in the address, so no link carries it. */
interface Entry {
  /** Its position. Back leads to a lower position. */
  readonly at: number
  readonly front: boolean
  /** A dialog over the entry below; one that its button has closed looks like that entry. Null: the page itself. */
  readonly dialog: 'open' | 'closed' | null
  /** The name of that dialog in the session, if it has one. */
  readonly name: string | null
}

interface OpenDialog {
  at: number
  readonly name: string | null
  readonly close: () => void
}

const nowhere: Entry = { at: 0, front: false, dialog: null, name: null }

/** `passing`: the direction in which entries are skipped; -1 is Back. */
const steps = part(() => ({ here: nowhere, passing: 0, open: [] as OpenDialog[], settle: async () => {} }))

const isEntry = (state: unknown): state is Entry =>
  typeof state === 'object' && state !== null && 'at' in state && 'dialog' in state

/** Makes Back lead from the page to the front page. `settle` writes what is on the canvas. Returns an unsubscribe function. */
export function followFront(session: Session, settle: () => Promise<void>): () => void {
  steps(session).settle = settle
  const { address } = session
  const state = address.state()
  const { at, dialog } = isEntry(state) ? state : nowhere
  const { front } = showingStore(session).getState()
  let { opened } = scenarioStore(session).getState()
  // After a reload no dialog is open.
  put(session, address.read().href, { at, front, dialog: dialog === null ? null : 'closed', name: null }, 'replace')
  const openings = scenarioStore(session).subscribe(({ draft, opened: latest }) => {
    if (draft === frontPreset.scenario) opened = latest
  })
  const fronts = showingStore(session).subscribe((now, before) => {
    if (!before.front || now.front || !onFront(session)) return
    // A scenario that was opened from there gets this entry.
    pushEntry(session, address.read().href, {
      dialog: scenarioStore(session).getState().opened > opened ? 'closed' : null,
    })
    void settle()
  })
  return endAll([openings, fronts])
}

export const onFront = (session: Session): boolean => steps(session).here.front

/** Adds an entry to the history. It takes the place of a dialog that was closed. */
export function pushEntry(session: Session, to: string, dialog: Partial<Entry> = {}): void {
  const { here } = steps(session)
  const again = here.dialog === 'closed'
  put(session, to, { ...nowhere, at: here.at + (again ? 0 : 1), ...dialog }, again ? 'replace' : 'push')
}

function put(session: Session, to: string, entry: Entry, how: 'push' | 'replace'): void {
  session.address.write(to, how, entry)
  Object.assign(steps(session), { here: entry, passing: 0 })
}

/** Adds an entry for a dialog that opens: Back calls `close`. Returns a function to call when it has closed. */
export function openStep(session: Session, close: () => void): () => void {
  const state = steps(session)
  const { dialog } = showingStore(session).getState()
  const name = state.open.some((other) => other.name === dialog) ? null : dialog
  const own = { at: NaN, name, close }
  state.open.push(own)
  // Forward leads to an entry that is there already. Before a new one, what is on the page below is written to the address.
  if (state.here.dialog === 'open' && !isOpen(session, state.here)) own.at = state.here.at
  else
    void state.settle().then(() => {
      if (!state.open.includes(own)) return
      pushEntry(session, session.address.read().href, { front: state.here.front, dialog: 'open', name })
      own.at = state.here.at
    })
  return () => {
    state.open.splice(state.open.indexOf(own), 1)
    if (state.here.at === own.at)
      put(session, session.address.read().href, { ...state.here, dialog: 'closed' }, 'replace')
  }
}

const isOpen = (session: Session, { at }: Entry): boolean => steps(session).open.some((dialog) => dialog.at === at)

/**
 * Shows what belongs to the entry that Back, Forward or a link led to. `hash` is the fragment of the one before. Returns true if the entry
 * is passed over, because it looks like the one before.
 */
export function arrive(session: Session, hash: string): boolean {
  const { address } = session
  const state = steps(session)
  const before = state.here
  const found = address.state()
  const here: Entry = isEntry(found) ? found : { ...nowhere, at: before.at + 1 }
  if (here !== found) address.write(address.read().href, 'replace', here)
  const by = Math.sign(here.at - before.at)
  const passing = by === state.passing
  state.here = here
  for (const { at, close } of [...state.open]) if (at > here.at || here.dialog === null) close()
  const [lower, upper] = by < 0 ? [here, before] : [before, here]
  const covers = upper.dialog !== null && lower.at === upper.at - 1 && !passing
  // An edit below a dialog belongs to the page.
  if (covers && address.read().hash !== hash) address.write(hash, 'replace', here)
  const dead = here.dialog !== null && !isOpen(session, here)
  const skip = dead ? by < 0 || here.dialog === 'closed' : covers && before.dialog === 'closed'
  state.passing = skip ? by : 0
  if (skip) address.go(by)
  else if (dead && here.name !== null) openDialog(session, here.name)
  else if (dead) put(session, address.read().href, { ...here, dialog: 'closed' }, 'replace')
  if (!skip && here.front !== showingStore(session).getState().front) setFront(session, here.front)
  return skip
}
