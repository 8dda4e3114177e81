import { afterEach, beforeEach, expect, vi } from 'vitest'
import { runStore } from '../../src/app/session/run/runStore.ts'
import { keepSaved } from '../../src/app/session/scenario/savedCanvas.ts'
import { editOrShowProblems, scenarioStore } from '../../src/app/session/scenario/scenarioStore.ts'
import type { Session } from '../../src/app/session/session.ts'
import { followAddress } from '../../src/app/share/links/address.ts'
import { setWorkers } from '../../src/scenario/edit/edits.ts'
import { presetOf } from '../../src/scenario/presets/presets.ts'
import { type MadeUpAddress, madeUpAddress } from '../fixtures/madeUpAddress.ts'
import { madeUpStorage } from '../fixtures/madeUpStorage.ts'
import { pageSession } from '../fixtures/pageSession.ts'

export interface OpenPage {
  readonly session: Session
  readonly address: MadeUpAddress
  /** Leaves the page and opens it again at its address. */
  reload(): OpenPage
}

/** Opens a page of which nothing is drawn: it keeps its canvas and follows its address. */
export function openPage(
  fragment = '',
  address = madeUpAddress(fragment),
  first: (session: Session) => void = () => {},
): OpenPage {
  const session = pageSession(address)
  first(session)
  session.onEnd(keepSaved(session))
  session.onEnd(followAddress(session))
  return {
    session,
    address,
    reload() {
      address.leave()
      session.end()
      return openPage('', address)
    },
  }
}

/** Lets the address follow, with fake timers: longer than it ever waits. */
export async function later(): Promise<void> {
  for (let k = 0; k < 3; k++) {
    await vi.dynamicImportSettled()
    await vi.advanceTimersByTimeAsync(500)
  }
}

/** Resolves when a run has ended. */
export async function ended(session: Session): Promise<void> {
  await expect.poll(() => runStore(session).getState().phase, { timeout: 300_000 }).toBe('ended')
}

export const scenarioOf = (key: string) => presetOf(key)?.scenario ?? fail(key)

function fail(key: string): never {
  throw new Error(`there is no preset ${key}`)
}

/** What is on the canvas. */
export const canvasOf = (session: Session) => scenarioStore(session).getState()
export const titleOf = (session: Session) => canvasOf(session).scenario.title
export const stagesOf = (session: Session) => canvasOf(session).draft.stages.map(({ id }) => id)

export const workersOf = (session: Session) => canvasOf(session).draft.workers
export const fillWorkers = (session: Session, n: number) => editOrShowProblems(session, (now) => setWorkers(now, n))

/** The problems shown on the page, as one text. */
export const messagesOf = (session: Session) =>
  canvasOf(session)
    .problems.map(({ path, message }) => `${path}: ${message}`)
    .join(' ')

/** Gives each test of a file its own storage, and a clock that only the test advances. */
export function eachInMadeUpTime(): void {
  beforeEach(() => {
    madeUpStorage()
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
}
