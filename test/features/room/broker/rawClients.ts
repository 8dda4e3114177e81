import { connect as connectSocket, type Socket } from 'node:net'
import { hostToken, joinToken } from './roomHere.ts'

export interface ConnectFields {
  readonly username?: string
  readonly password?: string
  readonly keepalive?: number
  /** The topic of an empty retained will. */
  readonly will?: string
  readonly clean?: boolean
}

const text = (of: string) => [of.length >> 8, of.length & 255, ...Buffer.from(of)]

function packet(type: number, body: Uint8Array): Buffer {
  const digits: number[] = []
  for (let rest = body.length; digits.length === 0 || rest > 0; rest = Math.floor(rest / 128))
    digits.push((rest % 128) + (rest >= 128 ? 128 : 0))
  return Buffer.concat([Buffer.from([type, ...digits]), body])
}

/** Asks to be let in (MQTT 3.1.1, section 3.1). */
export function connectPacket(id: string, asked: ConnectFields): Buffer {
  const { username, password, keepalive = 30, will, clean = true } = asked
  const [isNamed, isSecret, isWilled] = [username, password, will].map((field) => Number(field !== undefined))
  const flags = 128 * isNamed + 64 * isSecret + 36 * isWilled + 2 * Number(clean)
  const willFields = will === undefined ? [] : [will, '']
  const fields = [id, ...willFields, username, password].filter((field) => field !== undefined)
  return packet(
    0x10,
    Buffer.from([...text('MQTT'), 4, flags, keepalive >> 8, keepalive & 255, ...fields.flatMap(text)]),
  )
}

/** Publishes bytes with these flags: 1 is to be kept, 2 is to be confirmed. */
export function publishPacket(topic: string, bytes = new Uint8Array(0), flags = 0): Buffer {
  return packet(0x30 + flags, Buffer.concat([Buffer.from([...text(topic), ...(flags & 6 ? [0, 1] : [])]), bytes]))
}

/** Asks for the messages of a filter (MQTT 3.1.1, section 3.8). */
export function subscribePacket(filter: string): Buffer {
  return packet(0x82, Buffer.from([0, 1, ...text(filter), 0]))
}

/** Says goodbye (MQTT 3.1.1, section 3.14). */
export const disconnectPacket = Buffer.of(0xe0, 0)

/** One frame of a WebSocket (RFC 6455, section 5.2), with a mask of zeros. */
export function frameOf(bytes: Buffer): Buffer {
  const head = Buffer.alloc(14)
  head[0] = 0x82
  head[1] = 128 + 127
  head.writeBigUInt64BE(BigInt(bytes.length), 2)
  return Buffer.concat([head, bytes])
}

export interface SocketOptions {
  readonly path?: string
  readonly protocol?: string
  readonly headers?: readonly string[]
}

/** Opens a WebSocket without a library. Resolves with it and with the head of the answer, whatever that is; empty if there is none. */
export function openRawSocket(port: number, { path = '/mqtt', protocol = 'mqtt', headers = [] }: SocketOptions = {}) {
  return new Promise<{ readonly socket: Socket; readonly head: string }>((resolve) => {
    const lines = [
      ...[
        `GET ${path} HTTP/1.1`,
        'Host: localhost',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
      ],
      ...['Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==', `Sec-WebSocket-Protocol: ${protocol}`, ...headers],
    ]
    const socket = connectSocket(port, 'localhost', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`))
    socket.on('error', () => {})
    // A server that does not answer at all is a failure, not a reason to wait.
    socket.setTimeout(20_000, () => socket.destroy())
    socket.once('close', () => resolve({ socket, head: '' }))
    socket.once('data', (bytes) => {
      socket.setTimeout(0)
      resolve({ socket, head: String(bytes) })
    })
  })
}

/** Resolves with the code of the answer to a connection; with -1 if it is closed without one. */
export async function enterAs(
  port: number,
  id: string,
  fields: ConnectFields,
  options?: SocketOptions,
): Promise<{ readonly socket: Socket; readonly code: number }> {
  const { socket } = await openRawSocket(port, options)
  socket.setTimeout(20_000, () => socket.destroy())
  const answer = new Promise<number>((resolve) => {
    socket.once('data', (bytes) => {
      socket.setTimeout(0)
      resolve(bytes[5] ?? -1)
    })
    socket.once('close', () => resolve(-1))
  })
  socket.write(frameOf(connectPacket(id, fields)))
  return { socket, code: await answer }
}

export const asHost: ConnectFields = { username: 'host', password: hostToken }
export const asDevice: ConnectFields = { username: 'join', password: joinToken }
