import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, relative, sep } from 'node:path'
import type { Duplex } from 'node:stream'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
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

const kinds: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
}

const compressed = promisify(gzip)

/**
 * Serves the files of a built page with the headers of its `_headers`. Only the files that exist at the start can be requested. `connect` is
 * another origin to which the page may connect.
 */
function serveFiles(folder: string, connect: string | null) {
  const headersOf = readHeaders(readFileSync(join(folder, '_headers'), 'utf8'))
  const names = new Set(filesIn(folder))
  /** Files that were served before: a class fetches the same ones in the same minute. */
  const kept = new Map<string, Promise<Buffer>>()

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = pathOf(request.url ?? '')
    const name = path === '/' ? '/index.html' : path
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'Only GET and HEAD are answered.')
    if (!names.has(name)) return refuse(response, 404, 'This page does not exist.')
    for (const [key, value] of headersOf(name)) response.setHeader(key, key === 'Content-Security-Policy' ? widened(value) : value)
    if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-cache')
    response.setHeader('Content-Type', kinds[extname(name)] ?? 'application/octet-stream')
    response.setHeader('Vary', 'Accept-Encoding')
    const small = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '') && !/\.(woff2|png|ico)$/.test(name)
    const body = await bytesOf(name, small)
    if (small) response.setHeader('Content-Encoding', 'gzip')
    response.setHeader('Content-Length', body.length)
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  function bytesOf(name: string, small: boolean): Promise<Buffer> {
    const key = `${small} ${name}`
    const found = kept.get(key) ?? readFile(join(folder, name)).then((bytes) => (small ? compressed(bytes) : bytes))
    kept.set(key, found)
    return found
  }

  function widened(policy: string): string {
    return connect === null ? policy : policy.replace("connect-src 'self'", `connect-src 'self' ${connect}`)
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile() && item.name !== '_headers')
    .map((item) => `/${relative(folder, join(item.parentPath, item.name)).replaceAll(sep, '/')}`)
}

/** Returns the path of an address; empty if it cannot be decoded. */
function pathOf(address: string): string {
  try {
    return decodeURIComponent(address.replace(/[?#].*$/, ''))
  } catch {
    return ''
  }
}

function refuse(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' }).end(`${words}\n`)
}

/**
 * Reads the `_headers` of a built page, a format of static hosts: a path, in which "*" at the end stands for the rest, and below it, indented,
 * headers to send and, after "!", headers of earlier rules to leave out. Returns a function from a path to its headers.
 */
function readHeaders(text: string): (path: string) => ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return (path) => {
    const found = new Map<string, string>()
    let fits = false
    for (const line of lines) {
      const words = line.trim()
      const [, name = words, value = ''] = /^([\w-]+): (.*)$/.exec(words) ?? []
      if (!/^\s/.test(line)) fits = words.endsWith('*') ? path.startsWith(words.slice(0, -1)) : path === words
      else if (fits && name.startsWith('! ')) found.delete(name.slice(2))
      else if (fits) found.set(name, value)
    }
    return found
  }
}
