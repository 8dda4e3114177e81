/**
 * The topics of a room. `DEVICE` is `[A-Za-z0-9]{1,40}`.
 *
 *   apportion/1/ROOM/d/DEVICE/is     retained, from the device: who it is; empty: it is gone (also its will)
 *   apportion/1/ROOM/d/DEVICE/down   from a conductor
 *   apportion/1/ROOM/d/DEVICE/up     to the conductors
 *   apportion/1/ROOM/d/DEVICE/says   to the host's page: answers to a question, scores of a game
 *   apportion/1/ROOM/all             retained, from the host's page to every device: a question, its answer, a game
 */
export type DeviceTopic = 'is' | 'down' | 'up' | 'says'

export function deviceTopic(room: string, device: string, kind: DeviceTopic): string {
  return `apportion/1/${room}/d/${device}/${kind}`
}

export function allTopic(room: string): string {
  return `apportion/1/${room}/all`
}

/** Returns the device of such a topic; null if it is another. */
export function deviceOf(room: string, topic: string, kind: DeviceTopic): string | null {
  const [, , , , device = ''] = topic.split('/')
  return topic === deviceTopic(room, device, kind) && /^[A-Za-z0-9]{1,40}$/.test(device) ? device : null
}
