/** A reading of this thread's `performance.now()`, in milliseconds. */
export type Instant = number

/** Atomics.wait wakes some 0.1 ms late, now and then more: this much of the time is spun. */
const SPUN = 0.25
/** Timers wake up to 5 ms late. */
const SPUN_AFTER_TIMER = 6

const cell = sleepingCell()

/** Keeps the core busy until the instant, as exactly as the clock can be read. */
export function burnUntil(instant: Instant): void {
  while (performance.now() < instant);
}

/** Sleeps until shortly before the instant and spins the rest. Sleeps in Atomics.wait, or on a timer where there is no shared memory. */
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

/** Keeps the core busy for ever, as a worker that hangs does. */
export function burnForEver(): never {
  for (;;);
}

/** Returns memory to wait on. A page that is not isolated cannot make a SharedArrayBuffer, but gets one from WebAssembly. */
function sleepingCell(): Int32Array<SharedArrayBuffer> | null {
  try {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
    const found = new Int32Array(memory.buffer as unknown as SharedArrayBuffer)
    // Throws if the thread may not wait, or if the memory is not shared.
    Atomics.wait(found, 0, 0, 0)
    return found
  } catch {
    return null
  }
}
