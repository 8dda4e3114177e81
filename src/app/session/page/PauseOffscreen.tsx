import { memo, type ReactNode, useRef } from 'react'
import { useStore } from 'zustand'
import { useOnScreen } from '../../base/browser/frames.ts'
import { runStore } from '../run/runStore.ts'
import { useSession } from '../useSession.ts'

/** Renders its children only while they are on the screen or no run plays: what is below the edge would cost frames. */
export function PauseOffscreen({ children }: { readonly children: ReactNode }) {
  const session = useSession()
  const host = useRef<HTMLDivElement>(null)
  const seen = useOnScreen(host)
  const playing = useStore(runStore(session), (state) => state.playing)
  return (
    <div className="held" ref={host}>
      <Kept held={playing && !seen}>{children}</Kept>
    </div>
  )
}

const Kept = memo(
  ({ children }: { readonly held: boolean; readonly children: ReactNode }) => children,
  (_, next) => next.held,
)
