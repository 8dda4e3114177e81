import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { RoomAddress } from '../../../runs/remote/remoteEngine.ts'
import { allTopic, type DeviceTopic, deviceOf, deviceTopic } from '../protocol/carrier.ts'

/** Somebody at the broker of one room. The id of a client is the name of a device, or begins with "host". */
export interface Visitor {
  readonly room: string
  readonly role: RoomAddress['role']
  readonly id: string
}

/** A message that somebody wants to publish, or leaves as a will. */
export interface Publication {
  readonly topic: string
  readonly qos: number
  readonly retain: boolean
  readonly length: number
}

const HOST_ID = /^host[A-Za-z0-9]{0,36}$/
const DEVICE_ID = /^[A-Za-z0-9]{1,40}$/

/** How many bytes a message may have that is not work or its result. Kept messages are small, since they stay. */
const SMALL = 16_384

/** Returns whether this is an id for this role. Whoever takes the id of another ends the other's connection, so no device may be a host. */
export function mayBeCalled(role: Visitor['role'], id: string): boolean {
  return role === 'host' ? HOST_ID.test(id) : DEVICE_ID.test(id) && !/^host/i.test(id)
}

/** Returns whether the visitor may publish this. Everything else is refused. */
export function mayPublish({ room, role, id }: Visitor, { topic, qos, retain, length }: Publication): boolean {
  if (qos !== 0) return false
  if (role === 'host') {
    if (topic === allTopic(room)) return length <= SMALL
    return !retain && deviceOf(room, topic, 'down') !== null
  }
  const own = (kind: DeviceTopic) => topic === deviceTopic(room, id, kind)
  if (own('is')) return length <= SMALL
  return !retain && (own('up') || (own('says') && length <= SMALL))
}

/** Returns whether the visitor may leave this will: only that it is gone. */
export function mayLeave(visitor: Visitor, will: Publication): boolean {
  return visitor.role === 'join' && will.topic === deviceTopic(visitor.room, visitor.id, 'is') && will.length === 0 && mayPublish(visitor, will)
}

/** Returns whether the visitor may hear what fits this filter. */
export function mayHear({ room, role, id }: Visitor, filter: string): boolean {
  if (filter === allTopic(room)) return true
  if (role === 'join') return filter === deviceTopic(room, id, 'down') || filter === deviceTopic(room, id, 'is')
  return (['is', 'up', 'says'] as const).some((kind) => filter === deviceTopic(room, '+', kind) || deviceOf(room, filter, kind) !== null)
}

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
