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
