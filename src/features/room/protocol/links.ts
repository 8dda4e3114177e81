import { t } from '../../../language/translate.ts'
import type { RoomAddress } from '../../../runs/remote/remoteEngine.ts'
import { quoted } from '../../../scenario/model/words.ts'

/**
 * The links of a room. A fragment never reaches a server.
 *
 *   http://H:P/#host=ROOM.TOKEN[.JOINTOKEN][&broker=URL]   for the host; a scenario may come before or after
 *   http://H:P/join.html#room=ROOM.TOKEN[&broker=URL]      for a device that lends its threads, and for pipelines
 *
 * Without `broker` it is the address `mqtt` beside the page. The host's page shows the device link if it has their token.
 */

/** The room of a link, or the problem of the link. `rest` is the fragment without the room, and without `#`. */
export type RoomLink =
  | { readonly found: 'nothing' }
  | { readonly found: 'room'; readonly address: RoomAddress; readonly rest: string }
  | { readonly found: 'problem'; readonly problem: string }

const ROOM = /^[A-Za-z0-9]{1,40}$/
const TOKEN = /^[A-Za-z0-9_-]{16,86}$/
const MAX_BROKER = 400

/** Returns the link for the role of the address. `page` is the address of its folder, with a slash at the end. */
export function roomLink(page: string, { room, role, token, joinToken, broker }: RoomAddress): string {
  const tokens = joinToken === undefined ? token : `${token}.${joinToken}`
  const elsewhere = broker === ownBroker(page) ? '' : `&broker=${encodeURIComponent(broker)}`
  return new URL(`${role === 'host' ? '#host' : 'join.html#room'}=${room}.${tokens}${elsewhere}`, page).href
}

/** Returns the address of a host's room for devices; null if the host's link does not have their token. */
export function addressToJoin({ broker, room, joinToken }: RoomAddress): RoomAddress | null {
  return joinToken === undefined ? null : { broker, room, role: 'join', token: joinToken }
}

/** Returns the address of the broker beside the page. */
export function ownBroker(page: string): string {
  const url = new URL('mqtt', page)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

/** Returns why a broker's address is refused; null if it is valid. */
export function brokerProblem(broker: string): string | null {
  const url = broker.length <= MAX_BROKER && URL.canParse(broker) ? new URL(broker) : null
  if (url !== null && /^wss?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '')
    return null
  return t(
    'The broker {broker} is not an address of a WebSocket. Allowed: ws://… or wss://…, without a password and without “#”.',
    { broker: quoted(broker) },
  )
}

/** Returns why a room's name is refused; null if it is valid. */
export function roomNameProblem(room: string): string | null {
  return ROOM.test(room)
    ? null
    : t('The room {room} has no valid name. Allowed: 1 to 40 letters and digits.', { room: quoted(room) })
}

/** Returns why a token is refused; null if it is valid. It is a secret, so the message does not repeat it. */
export function tokenProblem(token: string): string | null {
  return TOKEN.test(token)
    ? null
    : t('The token of the room is incomplete. Allowed: 16 to 86 letters, digits, “-” and “_”.')
}

/** Reads the address of a page that may have been opened as host, or the link of a device. Never throws. */
export function readRoomLink(href: string, role: RoomAddress['role']): RoomLink {
  const key = role === 'host' ? 'host' : 'room'
  if (!URL.canParse(href))
    return {
      found: 'problem',
      problem: t('This link is incomplete or damaged. Copy the whole link and try again.'),
    }
  const { fields, rest } = splitFragment(new URL(href).hash.slice(1), key)
  const named = fields.get(key)
  if (named === undefined) return { found: 'nothing' }
  const [room, token = '', ...others] = named.split('.')
  const [joinToken, ...more] = key === 'host' ? others : [undefined, ...others]
  const broker = fields.has('broker') ? decoded(fields.get('broker') ?? '') : ownBroker(href)
  const problem =
    roomNameProblem(room) ??
    (more.length > 0
      ? t('This link is incomplete or damaged. Copy the whole link and try again.')
      : tokenProblem(token)) ??
    (joinToken === undefined ? null : tokenProblem(joinToken)) ??
    brokerProblem(broker)
  if (problem !== null) return { found: 'problem', problem }
  return { found: 'room', address: { broker, room, role, token, ...(joinToken !== undefined && { joinToken }) }, rest }
}

/** Takes the fields of a room out of a fragment. Handwritten JSON may contain "&", so it is left alone. */
function splitFragment(fragment: string, key: string): { fields: Map<string, string>; rest: string } {
  const fields = new Map<string, string>()
  const isTaken = (part: string): boolean => {
    const name = part.slice(0, part.indexOf('='))
    if ((name !== key && name !== 'broker') || fields.has(name)) return false
    fields.set(name, part.slice(name.length + 1))
    return true
  }
  const brace = fragment.lastIndexOf('}') + 1
  const before = brace === 0 ? [] : fragment.slice(0, brace).split('&')
  while (before.length > 1 && isTaken(before[0])) before.shift()
  const after = fragment
    .slice(brace)
    .split('&')
    .filter((part) => !isTaken(part))
  return { fields, rest: before.join('&') + after.join('&') }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
