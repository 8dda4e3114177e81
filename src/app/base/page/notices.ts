import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import './notices.css'

let place: HTMLElement | null = null

/** Puts news of the page itself beside it, so that they are there whatever becomes of it; several stand one above the other. */
export function notify(news: ReactNode): void {
  if (place === null) {
    place = document.body.appendChild(document.createElement('div'))
    place.className = 'notices'
  }
  createRoot(place.appendChild(document.createElement('div'))).render(news)
}
