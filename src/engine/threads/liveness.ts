/** Calls that let other threads notice the start and the end of a thread. */
export interface Liveness {
  /** Answers at once, before any later call. */
  answers(): boolean
  /** Resolves with true if the thread holds the lock until it ends; with false if the browser gives no lock within this many milliseconds. */
  live(lock: string, within: number): Promise<boolean>
}

let locks = 0

/** Returns the name of a lock that no other thread asks for. */
export function ownLock(): string {
  return `apportion ${performance.timeOrigin} ${Math.random()} ${locks++}`
}

export const liveness: Liveness = { answers: () => true, live }

export function live(lock: string, within: number): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(resolve, within, false)
    const granted = () => {
      resolve(true)
      return new Promise(() => {})
    }
    try {
      navigator.locks.request(lock, granted).catch(() => resolve(false))
    } catch {
      resolve(false)
    }
  })
}

/** The other side: calls `ended` when the lock is free, that is when the thread has ended. */
export function awaitEnd(lock: string, signal: AbortSignal, ended: () => void): void {
  navigator.locks.request(lock, { signal }, ended).catch(() => {})
}

/** The part used here of an API that not every browser has. */
type TrustedTypes = { createPolicy(name: 'default', rules: { createScriptURL(address: string): string }): unknown }

/** Allows only this page's scripts as threads. Call it in every thread that starts others: a page's policy of trusted types does not reach into it. */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy('default', {
    createScriptURL(address) {
      const { origin } = new URL(address, location.href)
      if (origin === location.origin) return address
      throw new TypeError(`A thread must be a script of ${location.origin}, not of ${origin}.`)
    },
  })
}
