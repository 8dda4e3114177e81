import type { ComponentProps, ReactNode } from 'react'

/** A button that does not submit a form. `text`: the label, if it is only text. */
export function Button({
  className = 'button',
  text,
  children,
  ...others
}: ComponentProps<'button'> & { readonly text?: ReactNode }) {
  return (
    <button type="button" className={className} {...others}>
      {text ?? children}
    </button>
  )
}
