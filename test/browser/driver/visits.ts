import { storageKeys } from '../../../src/app/base/browser/browserStorage.ts'
import { compact } from '../../../src/scenario/model/compact.ts'
import { defaultPreset } from '../../../src/scenario/presets/preset.ts'

interface Stored {
  cookies: []
  origins: { origin: string; localStorage: { name: string; value: string }[] }[]
}

/** The storage of a browser that has never visited the page. */
export const neverVisited: Stored = { cookies: [], origins: [] }

/** The storage of a browser after an earlier visit: the preset on the canvas, as the full page opens with it. */
export function visitedBefore(origin: string): Stored {
  return {
    cookies: [],
    origins: [
      {
        origin,
        localStorage: [{ name: storageKeys.scenario, value: JSON.stringify(compact(defaultPreset.scenario)) }],
      },
    ],
  }
}
