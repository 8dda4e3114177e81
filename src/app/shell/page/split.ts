/** How canvas and record share the height of the desk. All shares are those of the canvas, in percent. */

/** What page.css gives the canvas before the first run, and with a run. */
export const usualShare = { before: 75, after: 41 } as const

/** Neither part gets lower than this, in pixels. page.css says the same of a share that was chosen in a larger window. */
const LEAST = { canvas: 240, record: 190 } as const
/** How far one press of a key moves the divider. */
const STEP = 2
const STRIDE = 10

export interface Bounds {
  readonly least: number
  readonly most: number
}

/** Returns the least and the greatest share on a desk of this height in pixels, as whole percents. */
export function shareBounds(height: number): Bounds {
  const least = Math.min(100, Math.ceil((100 * LEAST.canvas) / height))
  return { least, most: Math.max(least, Math.floor(100 - (100 * LEAST.record) / height)) }
}

/** Returns the share nearest to `asked` that a desk of this height allows. */
export function allowedShare(asked: number, height: number): number {
  const { least, most } = shareBounds(height)
  return Math.round(Math.min(most, Math.max(least, asked)))
}

/** Returns the share after a key; null if the key does not move the divider. */
export function shareAfterKey(key: string, share: number, height: number): number | null {
  const { least, most } = shareBounds(height)
  const asked = {
    ArrowUp: share - STEP,
    ArrowDown: share + STEP,
    PageUp: share - STRIDE,
    PageDown: share + STRIDE,
    Home: least,
    End: most,
  }[key]
  return asked === undefined ? null : allowedShare(asked, height)
}

/** Returns the share that was stored; null if none was, or no possible one. */
export function readShare(stored: string | null): number | null {
  const share = Number(stored ?? Number.NaN)
  return Number.isInteger(share) && share > 0 && share < 100 ? share : null
}
