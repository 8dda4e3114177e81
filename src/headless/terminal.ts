import { readFileSync, statSync, writeSync } from 'node:fs'
import process from 'node:process'
import { isatty } from 'node:tty'
import type { Journal } from '../pipeline/journal.ts'
import { FAILED, RELEASED } from '../pipeline/rows.ts'
import { MAX_TEXT } from '../scenario/model/limits.ts'
import { counted } from '../scenario/model/words.ts'
import { bytes, count, percent } from '../views/drawing/format.ts'

/** Reads a scenario from a file or a pipe. Throws before a byte is read if it is too large, or endless. */
export function readText(file: string): string {
  const found = statSync(file)
  if (found.isDirectory()) throw new Error('it is a folder; allowed: a file')
  if (!found.isFile() && !found.isFIFO()) throw new Error('it is a device; allowed: a file')
  // A character takes at most three bytes for each of its UTF-16 units.
  if (found.size > 3 * MAX_TEXT) throw new Error(`it has ${bytes(found.size)}; allowed: a scenario of at most ${count(MAX_TEXT)} characters`)
  return readFileSync(file, 'utf8')
}

/** Writes all of it, in as many pieces as the system takes: a disk may be full after the first, and a pipe may ask to wait. */
export function writeWhole(out: number, text: string): void {
  let left = Buffer.from(text)
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(out, left))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

/** Shows the progress of a long run on a line of the terminal, which is cleared at the end. */
export function createProgress(name: string, jobs: number): { readonly heard: (journal: Journal) => void; readonly end: () => void } {
  const line = createStatusLine()
  let out = 0
  return {
    heard({ rows }) {
      if (!line.shows) return
      for (let i = 0; i < rows.length; i++) if (rows.kind[i] === RELEASED || rows.kind[i] === FAILED) out++
      line.tell(() => `${name}: ${percent(out / jobs)} of ${counted(jobs, 'job')}`)
    },
    end: line.end,
  }
}

interface StatusLine {
  /** Whether anybody sees it. */
  readonly shows: boolean
  readonly tell: (text: () => string) => void
  readonly end: () => void
}

/** A line at the foot of a terminal that changes, at most twice a second, and is gone at its end. Elsewhere there is none. */
export function createStatusLine(): StatusLine {
  const shows = isatty(2)
  let told = Date.now()
  let width = 0
  const write = (text: string) => {
    process.stderr.write(`\r${text.padEnd(width)}`)
    width = text.length
  }
  return {
    shows,
    tell(text) {
      if (!shows || Date.now() - told < 500) return
      told = Date.now()
      write(text())
    },
    end() {
      if (width === 0) return
      write('')
      process.stderr.write('\r')
    },
  }
}
