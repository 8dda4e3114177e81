import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Duplex } from 'node:stream'
import { Aedes, type AedesOptions, type AuthenticateError, type Client } from 'aedes'
import { type WebSocket, WebSocketServer } from 'ws'
import { DENY_ALL, refuse, serveFiles } from '../../../headless/serveFiles.ts'
import { deviceTopic, fullTopic } from '../protocol/carrier.ts'
import { isSecret, mayBeCalled, mayLeave, mayPublish, mayReceive, type Publication, type Visitor } from './rights.ts'
import { type Allowance, SocketStream } from './socketStream.ts'

export type RoomBroker = Awaited<ReturnType<typeof openRoomBroker>>

export interface RoomSecrets extends Readonly<Record<'room' | 'host' | 'join', string>> {
  /** The most devices at once. */
  readonly maxDevices?: number
}

const MAX_PACKET = 4 * 1024 * 1024
/** Hosts and devices are counted apart, so that devices never keep the host out. */
const MAX_DEVICES = 1000
const MAX_HOSTS = 50
/** The most WebSockets that have not sent a token yet. A device sends its own within a fraction of a second. */
const MAX_STRANGERS = 250
/** How often hosts are told how many devices were refused. */
const TELL_MILLISECONDS = 1000
const SILENT_MILLISECONDS = 5000
/** The longest silence of a connection; our own clients send something every two seconds. */
const KEEPALIVE_SECONDS = 60

const stranger: Allowance = { longest: 4096, messagesPerSecond: 10, bytesPerSecond: 8192 }
const device: Allowance = { longest: MAX_PACKET, messagesPerSecond: 5000, bytesPerSecond: 16 * 1024 * 1024 }
const host: Allowance = { longest: MAX_PACKET, messagesPerSecond: Infinity, bytesPerSecond: Infinity }

/** Opens a broker that carries the messages of one room between its hosts and its devices, and nothing else. */
export async function openRoomBroker(secrets: RoomSecrets) {
  const { room, maxDevices = MAX_DEVICES } = secrets
  const visitors = new WeakMap<Client, Visitor>()
  const strangers = createLobby(MAX_STRANGERS)
  const inside = { host: new Set<Client>(), join: new Set<Client>() }
  const most = { host: MAX_HOSTS, join: maxDevices }
  /** The names of devices for which there was no room. */
  const refused = new Set<string>()
  let telling: ReturnType<typeof setTimeout> | null = null

  /** Tells hosts how many devices were refused since one left, or that there is room again. */
  function tellFull(): void {
    telling ??= setTimeout(() => {
      telling = null
      publish(fullTopic(room), refused.size === 0 ? '' : String(refused.size))
    }, TELL_MILLISECONDS)
  }

  function publish(topic: string, payload: string): void {
    broker.publish({ cmd: 'publish', topic, payload: Buffer.from(payload), qos: 0, retain: true, dup: false }, () => {})
  }
  const broker = await Aedes.createBroker({
    connectTimeout: SILENT_MILLISECONDS,
    keepaliveLimit: KEEPALIVE_SECONDS,
    maxTopicLevels: 8,
    // 0: messages do not queue. aedes empties its queue by recursion, so thousands of messages without a receiver would overflow the stack and end the process.
    concurrency: 0,
    preConnect(_client, packet, done) {
      const isServed = packet.clean === true
      // Without an error the refused connection would stay open.
      done(isServed ? null : new Error('this connection is not served'), isServed)
    },
    authenticate(client, username, password, done) {
      const role = username === 'host' || username === 'join' ? username : null
      if (role === null || password === undefined || !isSecret(password, secrets[role])) return done(refusal(4), false)
      const visitor = { room, role, id: client.id } as const
      if (!mayBeCalled(role, client.id)) return done(refusal(2), false)
      // Until a connection is authenticated, aedes keeps its will here.
      const { _will: will } = client as Client & { readonly _will?: Packet | null }
      if (will && !mayLeave(visitor, publicationOf(will))) return done(refusal(5), false)
      // One that comes back takes the place of its earlier connection.
      const isBack = [...inside[role]].some(({ id }) => id === client.id)
      if (!isBack && inside[role].size >= most[role]) {
        if (role === 'join' && refused.size < 10 * maxDevices) refused.add(client.id)
        tellFull()
        return done(refusal(3), false)
      }
      visitors.set(client, visitor)
      inside[role].add(client)
      client.conn.once('close', () => leave(client, role))
      strangers.leave(client.conn)
      if (client.conn instanceof SocketStream) client.conn.allow(role === 'host' ? host : device)
      done(null, true)
    },
    authorizePublish(client, packet, done) {
      const visitor = client === null ? undefined : visitors.get(client)
      done(
        visitor !== undefined && mayPublish(visitor, publicationOf(packet))
          ? null
          : new Error('this is not for you to publish'),
      )
    },
    authorizeSubscribe(client, subscription, done) {
      const visitor = visitors.get(client)
      done(null, visitor !== undefined && mayReceive(visitor, subscription.topic) ? { ...subscription, qos: 0 } : null)
    },
  } satisfies AedesOptions)
  function leave(client: Client, role: Visitor['role']): void {
    inside[role].delete(client)
    if (role === 'host' || refused.size === 0) return
    refused.clear()
    tellFull()
  }

  // A device that leaves without a message would stay listed forever.
  broker.on('clientDisconnect', (client) => {
    const visitor = visitors.get(client)
    if (visitor?.role === 'join') publish(deviceTopic(visitor.room, visitor.id, 'is'), '')
  })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PACKET + 4096,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has('mqtt') ? 'mqtt' : false),
  })
  return {
    accept: (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
      sockets.handleUpgrade(request, socket, head, (opened: WebSocket) => {
        const stream = new SocketStream(opened, socket, stranger, sockets.clients)
        strangers.enter(request.socket.remoteAddress ?? '', stream)
        broker.handle(stream, request)
      }),
    close: () =>
      new Promise<void>((resolve) => {
        if (telling !== null) clearTimeout(telling)
        for (const each of sockets.clients) each.terminate()
        broker.close(resolve)
      }),
  }
}

/**
 * Returns the connections that have not sent a valid token. If there are too many, the oldest one of the address with the most of them is closed: a
 * flood pushes out itself, and people behind one address still get in, since they are not strangers for long.
 */
export function createLobby(most: number) {
  const waiting = new Map<Duplex, string>()
  function oldest(): Duplex {
    const counts = new Map<string, number>()
    for (const address of waiting.values()) counts.set(address, (counts.get(address) ?? 0) + 1)
    const max = Math.max(...counts.values())
    for (const [stream, address] of waiting) if (counts.get(address) === max) return stream
    throw new RangeError('no thread waits')
  }
  function leave(stream: Duplex): void {
    waiting.delete(stream)
  }
  return {
    leave,
    enter(address: string, stream: Duplex): void {
      if (waiting.size >= most) {
        const one = oldest()
        waiting.delete(one)
        one.destroy()
      }
      waiting.set(stream, address)
      stream.once('close', () => leave(stream))
    },
  }
}

type Packet = Partial<Publication> & { readonly topic: string; readonly payload: string | Buffer }

function publicationOf({ topic, qos = 0, retain = false, payload }: Packet): Publication {
  return { topic, qos, retain, length: Buffer.byteLength(payload) }
}

/** `code` is what the client gets: MQTT 3.1.1, section 3.2.2.3. */
const refusal = (code: 2 | 3 | 4 | 5): AuthenticateError => Object.assign(new Error('refused'), { returnCode: code })

export interface RoomPlan extends RoomSecrets {
  readonly folder: string
  /** 0: any free port. */
  readonly port: number
  /** The address to listen on; undefined: all that this machine has. */
  readonly listenOn: string | undefined
  /** What this machine is called in the links, apart from "localhost" and its addresses. */
  readonly names: readonly string[]
  /** The address of another broker; null: it opens one of its own. */
  readonly broker: string | null
}

/** Serves the page, and beside it, at /mqtt, the broker of its room. Rejects with the system's error if it cannot listen. */
export async function openRoomServer(plan: RoomPlan) {
  const serve = serveFiles(plan.folder, plan.broker === null ? null : new URL(plan.broker).origin)
  const server = createServer(
    {
      headersTimeout: SILENT_MILLISECONDS,
      requestTimeout: 30_000,
      keepAliveTimeout: SILENT_MILLISECONDS,
      connectionsCheckingInterval: 1000,
    },
    (request, response) => {
      const unknown = foreignName(request, plan.names)
      if (unknown !== null)
        return refuse(response, 421, `This machine is not known as ${unknown}. Open the room with --host ${unknown}.`)
      serve(request, response).catch(() => response.destroy())
    },
  )
  // The timeouts above begin with the first byte of a request. A WebSocket is exempt: its broker has a timeout of its own.
  server.setTimeout(SILENT_MILLISECONDS)
  let broker: RoomBroker | null = null
  server.on('upgrade', (request, socket: Duplex, head) => {
    socket.on('error', () => {})
    const problem = upgradeProblem(request, broker, plan.names)
    if (problem !== null || broker === null)
      socket.end(`HTTP/1.1 ${problem}\r\nConnection: close\r\nContent-Security-Policy: ${DENY_ALL}\r\n\r\n`)
    else broker.accept(request, socket, head)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(plan.port, plan.listenOn, () => resolve())
  })
  // Only after listening succeeded: an open broker keeps the process alive.
  if (plan.broker === null) broker = await openRoomBroker(plan)
  return {
    port: (server.address() as AddressInfo).port,
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve))
      await broker?.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Returns the status with which a WebSocket is refused; null if it is accepted. Browsers name the origin, which must be ours. */
function upgradeProblem(request: IncomingMessage, broker: RoomBroker | null, names: readonly string[]): string | null {
  const { url = '', headers } = request
  if (url.replace(/\?.*$/, '') !== '/mqtt') return '404 Not Found'
  if (broker === null) return '503 Service Unavailable'
  const { origin, host } = headers
  if (origin === undefined) return null
  const isOurs =
    URL.canParse(origin) && new URL(origin).host === host?.toLowerCase() && foreignName(request, names) === null
  return isOurs ? null : '403 Forbidden'
}

/**
 * Returns the name under which a request came if it is not one of this machine; null if it is. A stranger may give a name of their own our address
 * (DNS rebinding): then their page would have the origin of ours.
 */
function foreignName({ headers }: IncomingMessage, names: readonly string[]): string | null {
  const host = `http://${headers.host ?? ''}/`
  const { hostname } = URL.canParse(host) ? new URL(host) : { hostname: '' }
  if (
    hostname === 'localhost' ||
    /^127\.[\d.]+$/.test(hostname) ||
    names.some((name) => name.toLowerCase() === hostname)
  )
    return null
  const addresses = Object.values(networkInterfaces()).flatMap((found = []) => found.map(({ address }) => address))
  return addresses.some((address) => hostname === address || hostname === `[${address.replace(/%.*$/, '')}]`)
    ? null
    : shownName(hostname)
}

const shownName = (hostname: string): string => (/^[\w.-]{1,253}$/.test(hostname) ? hostname : 'this')
