import { readStored, writeStored } from '../../../app/base/browser/browserStorage.ts'

const NAME = 'apportion.device'
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'

/** The most characters of a name that is shown to the host. */
export const MAX_DEVICE_NAME = 40

/** How many threads this device may lend, and how many it lends until somebody says otherwise. */
interface ThreadChoice {
  readonly most: number
  readonly usual: number
}

/** Returns the choice for so many cores. One core is left for the page; a phone lends one thread, since it gets hot. */
export function threadChoice(cores: number, handheld: boolean): ThreadChoice {
  const most = Math.max(1, Math.floor(cores) - 1 || 1)
  return { most, usual: handheld ? 1 : most }
}

/** Returns a new name for the topics of a device. Two tabs are two devices, and a page that is loaded again is a new one. */
export function newDeviceId(): string {
  // Also where the page is no secure context.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => LETTERS[byte % LETTERS.length]).join('')
}

export function storedName(): string {
  return (readStored(NAME) ?? '').slice(0, MAX_DEVICE_NAME)
}

export function keepName(name: string): void {
  writeStored(NAME, name === '' ? null : name)
}

/** Whether the screen stays awake: the browser keeps it so, has refused, or offers no such thing to this page. */
export type Awake = 'kept' | 'refused' | 'missing'

/**
 * Keeps the screen awake as long as the page is visible, and asks again whenever it becomes visible. Calls `told` with what came of it.
 * Returns what lets the screen sleep.
 */
export function keepAwake(told: (awake: Awake) => void): () => void {
  // Pages on plain http have none, though the types say so.
  const wakeLock = navigator.wakeLock as WakeLock | undefined
  if (wakeLock === undefined) {
    told('missing')
    return () => {}
  }
  let over = false
  let held: WakeLockSentinel | null = null
  const ask = async () => {
    if (document.visibilityState !== 'visible') return
    try {
      const lock = await wakeLock.request('screen')
      if (over) return void lock.release()
      held = lock
      told('kept')
    } catch {
      if (!over) told('refused')
    }
  }
  const asks = () => void ask()
  document.addEventListener('visibilitychange', asks)
  asks()
  return () => {
    over = true
    document.removeEventListener('visibilitychange', asks)
    void held?.release()
  }
}
