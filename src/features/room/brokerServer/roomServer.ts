import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { serveFiles } from '../../../headless/serveFiles.ts'
import { openRoomBroker, type RoomBroker, type RoomSecrets } from './roomBroker.ts'

export interface RoomPlan extends RoomSecrets {
  readonly folder: string
  /** 0: any free port. */
  readonly port: number
  /** The address to listen on; undefined: all that this machine has. */
  readonly listenOn: string | undefined
  /** The address of another broker; null: it opens one of its own. */
  readonly broker: string | null
}

const SILENT_MILLISECONDS = 5000

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
