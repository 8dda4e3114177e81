import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

/** Returns a token that nobody guesses: 128 random bits. */
export function newToken(): string {
  return randomBytes(16).toString('base64url')
}

/** Letters and digits that are not taken for each other when somebody reads them aloud. */
const LEGIBLE = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export function newRoomName(): string {
  return Array.from({ length: 6 }, () => LEGIBLE[randomInt(LEGIBLE.length)]).join('')
}

/** Compares in a time that does not tell how much of it is right. */
export function isSecret(given: Uint8Array, secret: string): boolean {
  const digest = (of: Uint8Array | string) => createHash('sha256').update(of).digest()
  return timingSafeEqual(digest(given), digest(secret))
}
