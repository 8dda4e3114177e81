import { type PointerEvent, useState } from 'react'
import { say } from '../../language/say.ts'
import { gameStore, send } from './game.ts'

/** Whoever is free, as seats that can be dragged to a stage: in the list below, or its card in the pipeline. */
export function FreeWorkers({ free }: { readonly free: number }) {
  const [held, setHeld] = useState<{ readonly seat: number; readonly left: number; readonly top: number } | null>(null)
  const take = (seat: number, event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    carry(seat, event)
  }
  const carry = (seat: number, { clientX, clientY }: PointerEvent) => setHeld({ seat, left: clientX, top: clientY })
  const drop = ({ clientX, clientY }: PointerEvent) => {
    setHeld(null)
    const stage = stageAt(clientX, clientY)
    if (held !== null && stage >= 0) send(stage)
  }
  return (
    <p className="beat-free">
      <span className="unseen">{say('{free, plural, =0 {All are sent} one {# worker to send} other {# workers to send}}', { free })}</span>
      {Array.from({ length: free }, (_, seat) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: one free worker is like another
          key={seat}
          className={held?.seat === seat ? 'beat-seat held' : 'beat-seat'}
          aria-hidden="true"
          style={held?.seat === seat ? { left: held.left, top: held.top } : undefined}
          onPointerDown={(event) => take(seat, event)}
          onPointerMove={held === null ? undefined : (event) => carry(seat, event)}
          onPointerUp={drop}
          onPointerCancel={() => setHeld(null)}
        />
      ))}
      {free === 0 && <span className="soft">{say('All are sent.')}</span>}
    </p>
  )
}

/** The stage that is drawn there, or -1. */
function stageAt(x: number, y: number): number {
  const { playing } = gameStore.getState()
  for (const element of document.elementsFromPoint(x, y)) {
    const row = element.closest<HTMLElement>('[data-beat-stage]')
    if (row !== null) return Number(row.dataset.beatStage)
    const card = element.closest<HTMLElement>('.react-flow__node')
    if (card !== null) return playing?.base.stages.findIndex(({ id }) => id === card.dataset.id) ?? -1
  }
  return -1
}
