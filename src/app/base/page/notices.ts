import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import './notices.css'

/** Shows a notice outside the page's own root, so that it stays if the page fails. Notices are stacked. */
export function notify(notice: ReactNode): void {
  const list = document.querySelector('body > .notices') ?? document.body.appendChild(document.createElement('div'))
  list.className = 'notices'
  createRoot(list.appendChild(document.createElement('div'))).render(notice)
}
