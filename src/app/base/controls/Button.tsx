import type { ComponentProps, ReactNode } from 'react'

interface Props extends ComponentProps<'button'> {
  /** The label, if it is only text. */
  readonly text?: ReactNode
}

/** A button that does not submit a form. */
export function Button({ className = 'button', text, children, ...others }: Props) {
  return (
    <button type="button" className={className} {...others}>
      {text ?? children}
    </button>
  )
}
