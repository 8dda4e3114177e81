import { type Address, noAddress } from './address.ts'

/** What is open now: a scenario with its history, its run, and everything on the page that belongs to them. */
export interface Session {
  readonly address: Address
  /** Returns the part that `make` makes, the same one each time. Throws an Error once the session has ended. */
  get<T>(make: (session: Session) => T): T
  /** Registers a cleanup for the end of the session. They run last in, first out. */
  onEnd(end: () => void): void
  end(): void
}

/** Returns a part of a session, and creates it at the first call. */
export type Part<T> = (session: Session) => T

/**
 * Returns how to find a part of a session: a store, or the variables of a feature. Each session has its own, so two of them
 * can live in one page. A part that subscribes to another passes the unsubscribe function to `session.onEnd`.
 */
export function part<T>(make: (session: Session) => T): Part<T> {
  return (session) => session.get(make)
}

/** Returns a session in which nothing is open yet; the address is not read. It starts nothing: parts are created at their first use. */
export function createSession(address: Address = noAddress): Session {
  const parts = new Map<unknown, unknown>()
  const ends: (() => void)[] = []
  let over = false
  const session: Session = {
    address,
    get<T>(make: (session: Session) => T): T {
      if (!parts.has(make)) {
        if (over) throw new Error('The session has ended.')
        parts.set(make, make(session))
      }
      return parts.get(make) as T
    },
    onEnd(end) {
      ends.push(end)
    },
    end() {
      for (let end = ends.pop(); end !== undefined; end = ends.pop()) end()
      over = true
    },
  }
  return session
}
