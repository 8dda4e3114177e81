import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

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
export function serveFiles(folder: string, connect: string | null) {
  const headersOf = readHeaders(readFileSync(join(folder, '_headers'), 'utf8'))
  const names = new Set(filesIn(folder))
  /** Files that were served before: a class fetches the same ones in the same minute. */
  const kept = new Map<string, Promise<Buffer>>()

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = pathOf(request.url ?? '')
    const name = path === '/' ? '/index.html' : path
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse(response, 405, 'Only GET and HEAD are answered.')
    if (!names.has(name)) return refuse(response, 404, 'This page does not exist.')
    for (const [key, value] of headersOf(name))
      response.setHeader(key, key === 'Content-Security-Policy' ? withConnectSource(value) : value)
    if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-cache')
    response.setHeader('Content-Type', kinds[extname(name)] ?? 'application/octet-stream')
    response.setHeader('Vary', 'Accept-Encoding')
    const gzipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '') && !/\.(woff2|png|ico)$/.test(name)
    const body = await bytesOf(name, gzipped)
    if (gzipped) response.setHeader('Content-Encoding', 'gzip')
    response.setHeader('Content-Length', body.length)
    response.end(request.method === 'HEAD' ? undefined : body)
  }

  function bytesOf(name: string, gzipped: boolean): Promise<Buffer> {
    const key = `${gzipped} ${name}`
    const found = kept.get(key) ?? readFile(join(folder, name)).then((bytes) => (gzipped ? compressed(bytes) : bytes))
    kept.set(key, found)
    return found
  }

  function withConnectSource(policy: string): string {
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

/** The Content-Security-Policy of plain-text answers. */
export const DENY_ALL = "default-src 'none'; frame-ancestors 'none'"

export function refuse(response: ServerResponse, status: number, words: string): void {
  const headers = {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': DENY_ALL,
  }
  response.writeHead(status, headers).end(`${words}\n`)
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
