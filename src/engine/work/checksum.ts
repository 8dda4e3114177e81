import { msg } from '../../language/msg.ts'

/** Why there is no checksum. */
const NO_CHECKSUM = msg('SHA-256 is not to be had on this page: browsers offer it only to pages opened over https or from localhost')

/** Returns the SHA-256 of the bytes in hexadecimal. Rejects in words where the browser has none (outside secure contexts). */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer> | ArrayBuffer): Promise<string> {
  if (!hasChecksum()) throw new Error(NO_CHECKSUM)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  let text = ''
  for (const byte of hash) text += hex[byte]
  return text
}

export function hasChecksum(): boolean {
  return typeof crypto !== 'undefined' && crypto.subtle !== undefined
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
