import { type PointerEvent, useRef } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { t } from '../../../language/translate.ts'
import { readStored, storageKeys, writeStored } from '../../base/browser/browserStorage.ts'
import { followDrag } from '../../base/browser/drag.ts'
import { useSize } from '../../base/page/useSize.ts'
import { part, type Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'

/** The line between canvas and record: dragged, moved by keys, and put back to the usual share by a double click. */
export function Divider() {
  const session = useSession()
  const desk = useRef<HTMLElement>(null)
  const chosen = useStore(splitStore(session), (state) => state.share)
  const height = useSize(desk)?.height ?? 0
  const { min, max } = height === 0 ? { min: 0, max: 100 } : shareBounds(height)
  const share = height === 0 ? DEFAULT_SHARE : allowedShare(chosen ?? DEFAULT_SHARE, height)

  const follow = ({ currentTarget, pointerId, clientX, clientY, button }: PointerEvent<HTMLDivElement>) => {
    const frame = desk.current?.getBoundingClientRect()
    if (button !== 0 || frame === undefined) return
    currentTarget.setPointerCapture(pointerId)
    const moveTo = (y: number) =>
      splitStore(session).setState({ share: allowedShare((100 * (y - frame.top)) / frame.height, frame.height) })
    followDrag(
      currentTarget,
      { x: clientX, y: clientY },
      ({ y }) => moveTo(y),
      (dropped) => chooseShare(session, dropped === null ? chosen : splitStore(session).getState().share),
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr element cannot be moved
    <div
      ref={(element) => {
        desk.current = element?.closest<HTMLElement>('.desk') ?? null
      }}
      className="divider"
      data-control="pipeline timeline"
      role="separator"
      tabIndex={0}
      aria-label={t('Height of the pipeline')}
      aria-orientation="horizontal"
      aria-valuenow={share}
      aria-valuemin={min}
      aria-valuemax={max}
      title={t('Drag, or double-click to reset.')}
      onPointerDown={follow}
      onDoubleClick={() => chooseShare(session, null)}
      onKeyDown={(event) => {
        const next = shareAfterKey(event.key, share, height)
        if (next === null || height === 0) return
        event.preventDefault()
        event.stopPropagation()
        chooseShare(session, next)
      }}
    />
  )
}

/** The share of the canvas, in percent, that page.css gives it, with and without a run: nothing moves when one begins. */
const DEFAULT_SHARE = 41

/** Neither part gets lower than this, in pixels. page.css limits a share that was chosen in a larger window in the same way. */
const MIN_HEIGHT = { canvas: 240, record: 190 } as const
/** Returns the least and the greatest share on a desk of this height in pixels, as whole percents. */
export function shareBounds(height: number) {
  const min = Math.min(100, Math.ceil((100 * MIN_HEIGHT.canvas) / height))
  return { min, max: Math.max(min, Math.floor(100 - (100 * MIN_HEIGHT.record) / height)) }
}

/** Returns the share nearest to `asked` that a desk of this height allows. */
export function allowedShare(wanted: number, height: number): number {
  const { min, max } = shareBounds(height)
  return Math.round(Math.min(max, Math.max(min, wanted)))
}

/** Returns the share after a key; null if the key does not move the divider. */
export function shareAfterKey(key: string, share: number, height: number): number | null {
  const { min, max } = shareBounds(height)
  const to: Readonly<Record<string, number>> = {
    ArrowUp: share - 2,
    ArrowDown: share + 2,
    PageUp: share - 10,
    PageDown: share + 10,
    Home: min,
    End: max,
  }
  const wanted = to[key]
  return wanted === undefined ? null : allowedShare(wanted, height)
}

/** Returns the share that was stored; null if there is none, or an invalid one. */
export function readShare(stored: string | null): number | null {
  const share = Number(stored ?? Number.NaN)
  return Number.isInteger(share) && share > 0 && share < 100 ? share : null
}

/** The share of the canvas that a person has chosen, in percent; null: the usual one. */
export const splitStore = part(() => createStore(() => ({ share: readShare(readStored(storageKeys.split)) })))

/** Chooses the share of the canvas, for the next visit too; null: the usual one again. */
export function chooseShare(session: Session, share: number | null): void {
  splitStore(session).setState({ share })
  writeStored(storageKeys.split, share === null ? null : String(share))
}
