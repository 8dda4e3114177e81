import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { RoomAddress } from '../../../runs/remote/remoteEngine.ts'
import { allTopic, type DeviceTopic, deviceOf, deviceTopic, fullTopic } from '../protocol/carrier.ts'

/** A client of the broker of one room. Its id is the name of a device, or begins with "host". */
export type Visitor = { readonly room: string; readonly role: RoomAddress['role']; readonly id: string }

/** A message that a client wants to publish, or its will. */
export type Publication = { readonly topic: string; readonly retain: boolean } & Readonly<
  Record<'qos' | 'length', number>
>

const HOST_ID = /^host[A-Za-z0-9]{0,36}$/
const DEVICE_ID = /^[A-Za-z0-9]{1,40}$/

/** The longest message in bytes apart from work and its results. Retained messages are small, since they stay in memory. */
const SMALL = 16_384

/** Returns whether the role may use this id. A device must not use a host's id, because that would end the host's connection. */
export function mayBeCalled(role: Visitor['role'], id: string): boolean {
  return role === 'host' ? HOST_ID.test(id) : DEVICE_ID.test(id) && !/^host/i.test(id)
}

/** Returns whether the visitor may publish this. */
export function mayPublish({ room, role, id }: Visitor, { topic, qos, retain, length }: Publication): boolean {
  if (qos !== 0) return false
  if (role === 'host') {
    if (topic === allTopic(room)) return length <= SMALL
    return !retain && deviceOf(room, topic, 'down') !== null
  }
  const isOwn = (kind: DeviceTopic) => topic === deviceTopic(room, id, kind)
  if (isOwn('is')) return length <= SMALL
  return !retain && (isOwn('up') || (isOwn('says') && length <= SMALL))
}

/** Returns whether the visitor may leave this will: only its own departure. */
export function mayLeave(visitor: Visitor, will: Publication): boolean {
  const isOwn = will.topic === deviceTopic(visitor.room, visitor.id, 'is')
  return visitor.role === 'join' && isOwn && will.length === 0 && mayPublish(visitor, will)
}

/** Returns whether the visitor may subscribe to this filter. */
export function mayReceive({ room, role, id }: Visitor, filter: string): boolean {
  if (filter === allTopic(room)) return true
  if (role === 'join') return (['down', 'is'] as const).some((kind) => filter === deviceTopic(room, id, kind))
  if (filter === fullTopic(room)) return true
  return (['is', 'up', 'says'] as const).some(
    (kind) => filter === deviceTopic(room, '+', kind) || deviceOf(room, filter, kind) !== null,
  )
}

/** Returns a token of 128 random bits. */
export const newToken = (): string => randomBytes(16).toString('base64url')

/** Letters and digits that cannot be confused when they are read aloud. */
const LEGIBLE = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

export const newRoomName = (): string => Array.from({ length: 6 }, () => LEGIBLE[randomInt(LEGIBLE.length)]).join('')

/** Compares in constant time. */
export function isSecret(given: Uint8Array, secret: string): boolean {
  const digest = (of: Uint8Array | string) => createHash('sha256').update(of).digest()
  return timingSafeEqual(digest(given), digest(secret))
}
