/** Returns the SHA-256 of the bytes in hexadecimal. Pages on plain http lack the browser's own: then JavaScript does it, fetched when first needed. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer> | ArrayBuffer): Promise<string> {
  const { subtle } = globalThis.crypto ?? {}
  const hash = subtle === undefined ? await plainHash(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes))
  let text = ''
  for (const byte of hash) text += hex[byte]
  return text
}

async function plainHash(bytes: Uint8Array | ArrayBuffer): Promise<Uint8Array> {
  const { sha256 } = await import('@noble/hashes/sha2.js')
  return sha256(bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes))
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
