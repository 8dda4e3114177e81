import { type PointerEvent, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { followDrag } from '../../base/browser/drag.ts'
import { useSize } from '../../base/page/useSize.ts'
import { useSession } from '../../session/useSession.ts'
import { allowedShare, shareAfterKey, shareBounds } from './split.ts'
import { chooseShare, splitStore } from './splitStore.ts'

interface Props {
  /** The share of the canvas while a person has chosen none, in percent. */
  readonly usual: number
}

/** The line between canvas and record: dragged, moved by keys, and put back by a double click. */
export function Divider({ usual }: Props) {
  const session = useSession()
  const desk = useRef<HTMLElement>(null)
  const chosen = useStore(splitStore(session), (state) => state.share)
  const height = useSize(desk)?.height ?? 0
  const { least, most } = height === 0 ? { least: 0, most: 100 } : shareBounds(height)
  const share = height === 0 ? usual : allowedShare(chosen ?? usual, height)

  const follow = ({ currentTarget, pointerId, clientX, clientY, button }: PointerEvent<HTMLDivElement>) => {
    const frame = desk.current?.getBoundingClientRect()
    if (button !== 0 || frame === undefined) return
    currentTarget.setPointerCapture(pointerId)
    const moveTo = (y: number) => splitStore(session).setState({ share: allowedShare((100 * (y - frame.top)) / frame.height, frame.height) })
    followDrag(
      currentTarget,
      { x: clientX, y: clientY },
      ({ y }) => moveTo(y),
      (dropped) => chooseShare(session, dropped === null ? chosen : splitStore(session).getState().share),
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
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
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuetext={t('{share} percent', { share })}
      title={t('Drag to give the pipeline more room or less. Double-click for the usual height.')}
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
