import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { SessionProvider } from '../../../src/app/session/scenario/SessionProvider.tsx'
import type { Session } from '../../../src/app/session/session.ts'

const ends: (() => void)[] = []

/** Shows a part of the page. Returns the element around it. */
export function shownHere(part: ReactNode, session?: Session): HTMLElement {
  const host = document.body.appendChild(document.createElement('div'))
  const root = createRoot(host)
  flushSync(() => root.render(session === undefined ? part : <SessionProvider session={session}>{part}</SessionProvider>))
  ends.push(() => {
    root.unmount()
    host.remove()
  })
  return host
}

/** Removes all that is shown: after each test. */
export function removeShown(): void {
  for (const end of ends.splice(0)) end()
}

/** The texts of these elements, one after the other. */
export const textsOf = (host: HTMLElement, selector: string): string[] => [...host.querySelectorAll(selector)].map(({ textContent }) => textContent ?? '')
