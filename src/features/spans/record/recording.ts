/** One service of a job, as Node's channel `apportion:job` has it, and when the job came to its stage. Times in microseconds since 1970. */
export interface JobLine {
  readonly job: string | number
  readonly stage: string
  /** The thread that served the job, where the pool tells it. */
  readonly worker?: string | number
  readonly enqueued_at: number
  readonly began: number
  readonly ended: number
  /** Why the job threw. */
  readonly error?: string
}

/** What a pool does, in lines that Apportion opens as a run. */
export interface Recording {
  /** The services so far. */
  readonly lines: readonly JobLine[]
  /** Returns the lines as a text of JSON lines: as a file the page opens it, and `apportion import` reads it. */
  text(): string
  /** Ends the recording: the pools are as before. Services that have begun are left out. */
  stop(): void
}

/** A recording that watchers add to. */
export interface OpenRecording extends Recording {
  add(line: JobLine): void
  /** Registers a cleanup, which `stop` runs. */
  onStop(cleanup: () => void): void
}

/** The most services of a recording; later ones are left out. Apportion reads no more. */
export const MAX_LINES = 1_000_000

export function createRecording(): OpenRecording {
  const lines: JobLine[] = []
  const cleanups: (() => void)[] = []
  let stopped = false
  return {
    lines,
    text: () => lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    stop() {
      stopped = true
      for (const cleanup of cleanups.splice(0).reverse()) cleanup()
    },
    add(line) {
      if (!stopped && lines.length < MAX_LINES) lines.push(line)
    },
    onStop: (cleanup) => void cleanups.push(cleanup),
  }
}

/** Returns the time of `performance.now()` in microseconds since 1970. */
export const instantOf = (milliseconds: number): number => Math.round((performance.timeOrigin + milliseconds) * 1000)

export const now = (): number => instantOf(performance.now())
