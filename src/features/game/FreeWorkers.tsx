import { type PointerEvent, useState } from 'react'
import { currentPalette } from '../../app/base/page/theme.ts'
import type { Session } from '../../app/session/session.ts'
import { useSession } from '../../app/session/useSession.ts'
import { t } from '../../language/translate.ts'
import { stageColour } from '../../views/drawing/palette.ts'
import { gameStore, sendWorker } from './game.ts'

/** The free workers as seats in the colour of the stage where each stands. They can be dragged to a row below or to a card in the pipeline. */
export function FreeWorkers({ stand, sent }: { readonly stand: readonly number[]; readonly sent: number }) {
  const session = useSession()
  const palette = currentPalette()
  const free = stand.length
  const [held, setHeld] = useState<{ readonly seat: number; readonly left: number; readonly top: number } | null>(null)
  const take = (seat: number, event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    carry(seat, event)
  }
  const carry = (seat: number, { clientX, clientY }: PointerEvent) => setHeld({ seat, left: clientX, top: clientY })
  const drop = ({ clientX, clientY }: PointerEvent) => {
    setHeld(null)
    const place = placeAt(session, clientX, clientY)
    if (held !== null && place !== null) sendWorker(session, place)
  }
  return (
    <p className="beat-free" aria-live="polite">
      <span className="unseen">{t('{free, plural, =0 {All are sent} one {# worker to send} other {# workers to send}}', { free })}</span>
      {stand.map((stage, seat) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: one free worker is like another
          key={seat}
          className={held?.seat === seat ? 'beat-seat held' : 'beat-seat'}
          aria-hidden="true"
          style={{
            ...(stage >= 0 && { borderColor: stageColour(palette, stage).fill }),
            ...(held?.seat === seat && { left: held.left, top: held.top }),
          }}
          onPointerDown={(event) => take(seat, event)}
          onPointerMove={held === null ? undefined : (event) => carry(seat, event)}
          onPointerUp={drop}
          onPointerCancel={() => setHeld(null)}
        />
      ))}
      {/* Seats of workers that were sent stay empty, so that nothing below moves. */}
      {Array.from({ length: sent }, (_, k) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one place is like another
        <span key={free + k} className="beat-seat gone" aria-hidden="true" />
      ))}
    </p>
  )
}

/** Returns the stage that is drawn there, or WAIT; null if there is none. */
function placeAt(session: Session, x: number, y: number): number | null {
  const { playing } = gameStore(session).getState()
  for (const element of document.elementsFromPoint(x, y)) {
    const row = element.closest<HTMLElement>('[data-beat-place]')
    if (row !== null) return Number(row.dataset.beatPlace)
    const card = element.closest<HTMLElement>('.react-flow__node')
    const stage = playing?.base.stages.findIndex(({ id }) => id === card?.dataset.id) ?? -1
    if (card !== null) return stage < 0 ? null : stage
  }
  return null
}
