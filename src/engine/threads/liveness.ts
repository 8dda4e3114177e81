/** What a thread offers so that its start and its end are noticed, though nobody tells of them. */
export interface Liveness {
  /** Answers at once, whatever is asked behind it. */
  isThere(): boolean
  /** True if the thread holds the lock for as long as it lives; false where the browser has no locks, or gives none within a moment. */
  live(lock: string): Promise<boolean>
}

let locks = 0

/** A lock that no other thread has asked for. */
export function ownLock(): string {
  return `apportion ${performance.timeOrigin} ${Math.random()} ${locks++}`
}

/** The thread's side. */
export const liveness: Liveness = { isThere: () => true, live }

export function live(lock: string): Promise<boolean> {
  return new Promise((resolve) => {
    setTimeout(resolve, 250, false)
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

/** The other side: getting the lock means that the thread has ended. */
export function awaitEnd(lock: string, signal: AbortSignal, ended: () => void): void {
  navigator.locks.request(lock, { signal }, ended).catch(() => {})
}
