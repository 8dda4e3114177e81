import type { ReactNode } from 'react'
import { Fold } from '../../base/controls/Fold.tsx'
import { useInLesson } from './showing.ts'

interface Props {
  readonly id: string
  readonly className: string
  readonly title: string
  readonly note: string | undefined
  readonly children: ReactNode
}

/** A part of the side panel that folds. In a lesson it is open at first. */
export function PanelFold({ id, className, title, note, children }: Props) {
  const opens = useInLesson()
  return (
    <article className={`panel-fold ${className}`} aria-label={title}>
      <Fold id={id} head={<h3>{title}</h3>} note={note} opens={opens}>
        {children}
      </Fold>
    </article>
  )
}
