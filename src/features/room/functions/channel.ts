import type { Micros } from '../../../scenario/model/scenario.ts'
import type { ChannelPiece } from '../protocol/messages.ts'

/** One end of a channel through a broker, which loses, delays and doubles messages. Each message arrives once, in order. */
export interface Channel {
  post(message: Uint8Array): void
  /** Takes what the other end has sent. Throws RangeError if no end of ours would send it. */
  take(piece: ChannelPiece): void
  /** Sends again what has not been confirmed. */
  sendAgain(): void
  /** Lets this time pass. */
  tick(elapsed: Micros): void
}

/** The longest piece in bytes: brokers take 128 kB and more. */
const PIECE = 120_000
/** At most this many bytes are sent without a word of the other end, so that neither brokers nor slow receivers hold much. */
const WINDOW = 2 * PIECE
const FIRST_WAIT: Micros = 500_000
const MAX_WAIT: Micros = 4_000_000
/** Pieces that come early are kept up to this distance. */
const EARLY = 4 * (WINDOW / PIECE)
/** The longest message in bytes: a batch of large inputs. */
const LONGEST = 1 << 29

export function createChannel(send: (piece: ChannelPiece) => void, deliver: (message: Uint8Array) => void): Channel {
  /** What is not confirmed: the first `flying` pieces have been sent, `flyingBytes` in all. The number of the first is `base`. */
  const out: { readonly bytes: Uint8Array; readonly last: boolean }[] = []
  let base = 0
  let flying = 0
  let flyingBytes = 0
  let waited: Micros = 0
  let wait = FIRST_WAIT
  /** The number of the next piece to come, and the pieces of its message so far. */
  let next = 0
  let parts: Uint8Array[] = []
  let size = 0
  const early = new Map<number, ChannelPiece>()
  /** The bytes that have come and are not confirmed; below 0 if there is nothing to confirm. */
  let unconfirmed = -1

  function transmit(k: number): void {
    unconfirmed = -1
    send({ number: base + k, upTo: next, ...out[k] })
  }

  function confirm(): void {
    unconfirmed = -1
    send({ number: base + flying, upTo: next, last: false, bytes: null })
  }

  function pump(): void {
    while (flying < out.length && (flying === 0 || flyingBytes + out[flying].bytes.length <= WINDOW)) {
      flyingBytes += out[flying].bytes.length
      transmit(flying++)
    }
  }

  function beConfirmed(upTo: number): void {
    const count = upTo - base
    if (count > flying) throw new RangeError('this was never sent')
    if (count <= 0) return
    for (const { bytes } of out.splice(0, count)) flyingBytes -= bytes.length
    base = upTo
    flying -= count
    waited = 0
    wait = FIRST_WAIT
    pump()
  }

  function takeNext({ bytes, last }: ChannelPiece): void {
    if (bytes === null) return
    next++
    unconfirmed = Math.max(0, unconfirmed) + bytes.length
    parts.push(bytes)
    size += bytes.length
    if (size > LONGEST) throw new RangeError('the message is too long')
    if (!last) return
    const message = parts.length === 1 ? bytes : joined(parts, size)
    parts = []
    size = 0
    deliver(message)
  }

  function sendAgain(): void {
    waited = 0
    for (let k = 0; k < flying; k++) transmit(k)
  }

  return {
    post(message) {
      let at = 0
      do {
        out.push({ bytes: message.subarray(at, at + PIECE), last: at + PIECE >= message.length })
        at += PIECE
      } while (at < message.length)
      pump()
    },
    take(piece) {
      beConfirmed(piece.upTo)
      if (piece.bytes === null) return
      if (piece.number < next) {
        // The other end does not know that it has come.
        wait = FIRST_WAIT
        return confirm()
      }
      if (piece.number >= next + EARLY) return
      early.set(piece.number, piece)
      for (let due = early.get(next); due !== undefined; due = early.get(next)) {
        early.delete(next)
        takeNext(due)
      }
      if (unconfirmed >= WINDOW / 2) confirm()
    },
    sendAgain,
    tick(elapsed) {
      if (unconfirmed >= 0) confirm()
      if (flying === 0) return
      waited += elapsed
      if (waited < wait) return
      wait = Math.min(MAX_WAIT, 2 * wait)
      sendAgain()
    },
  }
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
