import { beganAt, endedAt, FINISHED, rowTime } from '../../src/pipeline/rows.ts'
import type { Micros } from '../../src/scenario/model/scenario.ts'
import { eachRow, type Trace } from '../../src/trace/trace.ts'

/** 64 bits over words of 32 bits: two lanes of FNV-1a (Fowler, Noll and Vo 1991) with different offsets. */
export interface Digest {
  mix(word: number): void
  mixTime(time: Micros): void
  /** Returns 16 hexadecimal digits. */
  toString(): string
}

export function createDigest(): Digest {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  const mix = (word: number) => {
    a = Math.imul(a ^ word, 0x01000193)
    b = Math.imul(b ^ word, 0x85ebca6b)
    b ^= b >>> 13
  }
  return {
    mix,
    mixTime(time) {
      const high = Math.floor(time / 0x100000000)
      mix(time - high * 0x100000000)
      mix(high)
    },
    toString: () => hex(a) + hex(b),
  }
}

/** Returns the digest of all rows and decisions of a run. Equal digests mean the same run, digit for digit. */
export function digestOf(trace: Trace): string {
  const digest = createDigest()
  const { mix, mixTime } = digest
  const { decisions, length } = trace
  eachRow(trace, 0, length, (rows, i) => {
    mixTime(rowTime(rows, i))
    mix((rows.kind[i] << 24) ^ (rows.stage[i] << 12) ^ rows.worker[i])
    mix(rows.job[i])
    if (rows.kind[i] !== FINISHED) return
    mixTime(beganAt(rows, i))
    mixTime(endedAt(rows, i))
  })
  for (let d = 0; d < decisions.length; d++) {
    mix(decisions.row[d])
    mix(decisions.hash[d])
    mix(decisions.ends[d])
  }
  for (let c = 0; c < decisions.changes; c++) mix((decisions.stage[c] << 16) ^ decisions.seats[c])
  return digest.toString()
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}
