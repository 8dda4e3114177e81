import { deflateSync, Inflate, strToU8 } from 'fflate'
import { MAX_INFLATED } from '../model/limits.ts'

/** Text that most links contain, the most frequent last: deflate refers to it. Links of version 1 need it for ever. */
const dictionary = strToU8(
  'Send email Publish Notify Charge Label Pack Review Deploy Test Build Sort Merge Filter Route Resize Encode Decode Index Store Load Save Upload Download Extract Transform Compress Hash Score Rank Render Fetch Authenticate Authorise Write Enrich Validate Parse Rush hour at the API gateway pipeline of the ',
)

/** Returns the same bytes in every browser. `mem` is given, since its default comes from a logarithm, which differs between engines. */
export function deflate(bytes: Uint8Array): Uint8Array {
  return deflateSync(bytes, { level: 9, mem: 8, dictionary })
}

/**
 * Inflates at most MAX_INFLATED bytes. Deflate can grow 1,032 times, and fflate returns all of a push at once. So it gets 256 bytes at
 * a time, and is stopped when the result is too long.
 */
export function inflate(bytes: Uint8Array): Uint8Array | 'too long' | 'broken' {
  const chunks: Uint8Array[] = []
  let length = 0
  let ended = false
  const stream = new Inflate({ dictionary }, (chunk, final) => {
    chunks.push(chunk)
    length += chunk.length
    ended ||= final
  })
  try {
    for (let at = 0; at < bytes.length && length <= MAX_INFLATED; at += 256) stream.push(bytes.subarray(at, at + 256), at + 256 >= bytes.length)
  } catch {
    return 'broken'
  }
  if (length > MAX_INFLATED) return 'too long'
  if (!ended) return 'broken'
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
