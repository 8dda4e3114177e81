import { storageKeys } from '../../../src/app/base/browser/browserStorage.ts'
import { compact } from '../../../src/scenario/model/compact.ts'
import { defaultPreset } from '../../../src/scenario/presets/firstRuns.ts'

interface Stored {
  cookies: []
  origins: { origin: string; localStorage: { name: string; value: string }[] }[]
}

/** What a browser keeps that was never at the page. */
export const neverVisited: Stored = { cookies: [], origins: [] }

/** What a browser keeps of an earlier visit: the preset on the canvas, as the full page opens with it. */
export function visitedBefore(origin: string): Stored {
  return { cookies: [], origins: [{ origin, localStorage: [{ name: storageKeys.scenario, value: JSON.stringify(compact(defaultPreset.scenario)) }] }] }
}
