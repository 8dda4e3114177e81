const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** By character code: its place in the alphabet, or -1. */
const values = Int8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)))

/** Bytes as text that needs no escape in an address (RFC 4648, section 5), without padding. */
export function toBase64url(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const [a, b = 0, c = 0] = bytes.subarray(i, i + 3)
    const four = alphabet[a >> 2] + alphabet[((a & 3) << 4) | (b >> 4)] + alphabet[((b & 15) << 2) | (c >> 6)] + alphabet[c & 63]
    text += four.slice(0, Math.min(4, bytes.length - i + 1))
  }
  return text
}

/** Returns the bytes, or null for a text that `toBase64url` never makes: a strange character, a single one at the end, or stray bits. */
export function fromBase64url(text: string): Uint8Array | null {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const value = code < 128 ? values[code] : -1
    if (value < 0) return null
    held = ((held << 6) | value) & 0xfff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = held >> bits
  }
  return bits === 6 || (held & ((1 << bits) - 1)) !== 0 ? null : bytes
}
