import { readStored, writeStored } from '../../../app/base/browser/browserStorage.ts'

const NAME = 'apportion.device'
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'

export const MAX_DEVICE_NAME = 40

/**
 * Returns how many threads a device of this number of cores may lend, and how many it lends by default. One core is left for the page; a
 * phone lends one thread by default, since it gets hot.
 */
export function threadChoice(cores: number, handheld: boolean): { readonly most: number; readonly usual: number } {
  const most = Math.max(1, Math.floor(cores) - 1 || 1)
  return { most, usual: handheld ? 1 : most }
}

/** Returns a new name for the topics of a device. Each tab, and each reload, is a new device. */
export function newDeviceId(): string {
  // It works without a secure context too.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => LETTERS[byte % LETTERS.length]).join('')
}

export const storedName = (): string => (readStored(NAME) ?? '').slice(0, MAX_DEVICE_NAME)

export function keepName(name: string): void {
  writeStored(NAME, name === '' ? null : name)
}

/** Whether the screen stays awake; `missing`: the browser does not offer it to this page. */
export type Awake = 'kept' | 'refused' | 'missing'

/**
 * Keeps the screen awake while the page is visible, and asks again whenever it becomes visible. Calls `onResult` with each result. Returns a
 * function that lets the screen sleep.
 */
export function keepAwake(onResult: (awake: Awake) => void): () => void {
  // Pages on plain http lack it, although its type is not optional.
  const wakeLock = navigator.wakeLock as WakeLock | undefined
  if (wakeLock === undefined) {
    onResult('missing')
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
      onResult('kept')
    } catch {
      if (!over) onResult('refused')
    }
  }
  const onVisible = () => void ask()
  document.addEventListener('visibilitychange', onVisible)
  onVisible()
  return () => {
    over = true
    document.removeEventListener('visibilitychange', onVisible)
    void held?.release()
  }
}
