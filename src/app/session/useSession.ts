import { createContext, useContext } from 'react'
import type { Session } from './session.ts'

export const SessionContext = createContext<Session | null>(null)

/** Returns the session of the page a component stands in. Throws an Error outside of one. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('A component of a session stands outside of <SessionContext>.')
  return session
}
