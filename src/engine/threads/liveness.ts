/** Calls that let other threads notice the start and the end of a thread. */
export interface Liveness {
  /** Answers at once, before any later call. */
  answers(): boolean
  /** Resolves with true if the thread holds the lock until it ends; with false if the browser gives no lock within so many milliseconds. */
  live(lock: string, within: number): Promise<boolean>
}

let locks = 0

/** Returns the name of a lock that no other thread asks for. */
export function ownLock(): string {
  return `apportion ${performance.timeOrigin} ${Math.random()} ${locks++}`
}

/** The side of the thread. */
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
