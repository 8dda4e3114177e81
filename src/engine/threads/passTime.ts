/** Milliseconds on this thread's `performance.now()`. */
export type Instant = number

/** Atomics.wait wakes some 0.1 ms late, now and then more: so much is left to be spun. */
const SPUN = 0.25
/** Timers wake up to 5 ms late. */
const SPUN_AFTER_TIMER = 6

const cell = sleepingCell()

/** Keeps the core busy until the instant, as exactly as the clock can be read. */
export function burnUntil(instant: Instant): void {
  while (performance.now() < instant);
}

/**
 * Sleeps until shortly before the instant and spins the rest. Sleeps in Atomics.wait, which the browser lets a worker do on
 * memory that it shares with nobody too; where there is no shared memory at all, on a timer.
 */
export function sleepUntil(instant: Instant): void | Promise<void> {
  if (cell === null) return sleepOnTimer(instant)
  for (let left = instant - performance.now(); left > SPUN; left = instant - performance.now()) Atomics.wait(cell, 0, 0, left - SPUN)
  burnUntil(instant)
}

async function sleepOnTimer(instant: Instant): Promise<void> {
  const left = instant - performance.now() - SPUN_AFTER_TIMER
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left))
  burnUntil(instant)
}

/** Keeps the core busy for ever: what a worker that hangs does. */
export function burnForEver(): never {
  for (;;);
}

/** Memory to wait on. A page that is not isolated has no SharedArrayBuffer by name, but gets one from WebAssembly. */
function sleepingCell(): Int32Array<SharedArrayBuffer> | null {
  try {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
    const found = new Int32Array(memory.buffer as unknown as SharedArrayBuffer)
    // Throws where the thread may not wait, or where the memory is not shared after all.
    Atomics.wait(found, 0, 0, 0)
    return found
  } catch {
    return null
  }
}
