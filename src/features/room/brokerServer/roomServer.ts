import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { Aedes, type AedesOptions, type AuthenticateError, type Client } from 'aedes'
import { type WebSocket, WebSocketServer } from 'ws'
import { serveFiles } from '../../../headless/serveFiles.ts'
import { deviceTopic } from '../protocol/carrier.ts'
import { isOfFunctions, isSecret, mayBeCalled, mayLeave, mayPublish, mayReceive, type Publication, type Visitor } from './rights.ts'
import { type Allowance, SocketStream } from './socketStream.ts'

export type RoomBroker = Awaited<ReturnType<typeof openRoomBroker>>

export type RoomSecrets = { readonly room: string; readonly host: string; readonly join: string }

const MAX_PACKET = 4 * 1024 * 1024
const MAX_CONNECTIONS = 1000
const SILENT_MILLISECONDS = 5000
/** The longest silence of a connection; our own clients send something every two seconds. */
const KEEPALIVE_SECONDS = 60

const stranger: Allowance = { longest: 4096, messagesPerSecond: 10, bytesPerSecond: 8192 }
const device: Allowance = { longest: MAX_PACKET, messagesPerSecond: 5000, bytesPerSecond: 16 * 1024 * 1024 }
/** A pipeline, or a device that lends it functions, sends what it has: inputs and results. */
const functions: Allowance = { ...device, patient: true }
const host: Allowance = { longest: MAX_PACKET, messagesPerSecond: Infinity, bytesPerSecond: Infinity }

/** Opens a broker that carries the messages of one room between its hosts and its devices, and nothing else. */
export async function openRoomBroker(secrets: RoomSecrets) {
  const visitors = new WeakMap<Client, Visitor>()
  const broker = await Aedes.createBroker({
    connectTimeout: SILENT_MILLISECONDS,
    keepaliveLimit: KEEPALIVE_SECONDS,
    maxTopicLevels: 8,
    preConnect(_client, packet, done) {
      const isServed = packet.clean === true && broker.connectedClients < MAX_CONNECTIONS
      // Without an error the refused connection would stay open.
      done(isServed ? null : new Error('this connection is not served'), isServed)
    },
    authenticate(client, username, password, done) {
      const role = username === 'host' || username === 'join' ? username : null
      if (role === null || password === undefined || !isSecret(password, secrets[role])) return done(refusal(4), false)
      const visitor = { room: secrets.room, role, id: client.id } as const
      if (!mayBeCalled(role, client.id)) return done(refusal(2), false)
      // Until a connection is authenticated, aedes keeps its will here.
      const { _will: will } = client as Client & { readonly _will?: Packet | null }
      if (will && !mayLeave(visitor, publicationOf(will))) return done(refusal(5), false)
      visitors.set(client, visitor)
      if (client.conn instanceof SocketStream) client.conn.allow(role === 'host' ? host : isOfFunctions(client.id) ? functions : device)
      done(null, true)
    },
    authorizePublish(client, packet, done) {
      const visitor = client === null ? undefined : visitors.get(client)
      done(visitor !== undefined && mayPublish(visitor, publicationOf(packet)) ? null : new Error('this is not for you to publish'))
    },
    authorizeSubscribe(client, subscription, done) {
      const visitor = visitors.get(client)
      done(null, visitor !== undefined && mayReceive(visitor, subscription.topic) ? { ...subscription, qos: 0 } : null)
    },
  } satisfies AedesOptions)
  // A device that leaves without a message would stay listed forever.
  broker.on('clientDisconnect', (client) => {
    const visitor = visitors.get(client)
    if (visitor?.role !== 'join') return
    for (const space of ['d', 'f'] as const) {
      const topic = deviceTopic(visitor.room, visitor.id, 'is', space)
      broker.publish({ cmd: 'publish', topic, payload: Buffer.alloc(0), qos: 0, retain: true, dup: false }, () => {})
    }
  })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PACKET + 4096,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has('mqtt') ? 'mqtt' : false),
  })
  return {
    accept: (request: IncomingMessage, socket: Duplex, head: Buffer): void =>
      sockets.handleUpgrade(request, socket, head, (opened: WebSocket) => broker.handle(new SocketStream(opened, stranger), request)),
    close: () =>
      new Promise<void>((resolve) => {
        for (const each of sockets.clients) each.terminate()
        broker.close(resolve)
      }),
  }
}

type Packet = Partial<Publication> & { readonly topic: string; readonly payload: string | Buffer }

function publicationOf({ topic, qos = 0, retain = false, payload }: Packet): Publication {
  return { topic, qos, retain, length: Buffer.byteLength(payload) }
}

/** `code` is what the client gets: MQTT 3.1.1, section 3.2.2.3. */
const refusal = (code: 2 | 4 | 5): AuthenticateError => Object.assign(new Error('refused'), { returnCode: code })

export interface RoomPlan extends RoomSecrets {
  readonly folder: string
  /** 0: any free port. */
  readonly port: number
  /** The address to listen on; undefined: all that this machine has. */
  readonly listenOn: string | undefined
  /** The address of another broker; null: it opens one of its own. */
  readonly broker: string | null
}

/** Serves the page, and beside it, at /mqtt, the broker of its room. Rejects with the system's error if it cannot listen. */
export async function openRoomServer(plan: RoomPlan) {
  const serve = serveFiles(plan.folder, plan.broker === null ? null : new URL(plan.broker).origin)
  const server = createServer(
    { headersTimeout: SILENT_MILLISECONDS, requestTimeout: 30_000, keepAliveTimeout: SILENT_MILLISECONDS, connectionsCheckingInterval: 1000 },
    (request, response) => {
      serve(request, response).catch(() => response.destroy())
    },
  )
  // The timeouts above begin with the first byte of a request. A WebSocket is exempt: its broker has a timeout of its own.
  server.setTimeout(SILENT_MILLISECONDS)
  let broker: RoomBroker | null = null
  server.on('upgrade', (request, socket: Duplex, head) => {
    socket.on('error', () => {})
    const problem = upgradeProblem(request, broker)
    if (problem !== null || broker === null) socket.end(`HTTP/1.1 ${problem}\r\nConnection: close\r\n\r\n`)
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
function upgradeProblem({ url = '', headers }: IncomingMessage, broker: RoomBroker | null): string | null {
  if (url.replace(/\?.*$/, '') !== '/mqtt') return '404 Not Found'
  if (broker === null) return '503 Service Unavailable'
  const { origin, host } = headers
  if (origin === undefined) return null
  return URL.canParse(origin) && new URL(origin).host === host ? null : '403 Forbidden'
}
