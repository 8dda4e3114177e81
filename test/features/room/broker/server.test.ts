import http, { request, type Server, type ServerOptions } from 'node:http'
import { connect as connectSocket, type Socket } from 'node:net'
import os from 'node:os'
import { Aedes } from 'aedes'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { RoomPlan } from '../../../../src/features/room/brokerServer/roomServer.ts'
import { replaceIn } from '../terminalHere.ts'
import { asDevice, enterAs, openRawSocket } from './rawClients.ts'
import { roomHere } from './roomHere.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** Replaces functions of Node for this test. */
const replace: typeof replaceIn = (module, functions) => {
  const putBack = replaceIn(module, functions)
  cleanups.push(putBack)
  return putBack
}

/** Opens a room. `made` are the servers that it creates; its times are this many times as short. */
async function openHere(plan: Partial<RoomPlan> = {}, shorter = 1) {
  const made: { readonly server: Server; readonly options: ServerOptions; readonly timeouts: number[] }[] = []
  const create = http.createServer as unknown as (options: ServerOptions, call: http.RequestListener) => Server
  const scaled = (time: number | undefined) => (time === undefined ? undefined : time / shorter)
  const { createServer } = http
  replace(http, {
    createServer: ((options: ServerOptions, call: http.RequestListener) => {
      const { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval } = options
      const server = create(
        {
          ...{
            headersTimeout: scaled(headersTimeout),
            requestTimeout: scaled(requestTimeout),
            keepAliveTimeout: scaled(keepAliveTimeout),
          },
          connectionsCheckingInterval: scaled(connectionsCheckingInterval),
        },
        call,
      )
      const timeouts: number[] = []
      const { setTimeout } = server
      server.setTimeout = ((time: number) => {
        timeouts.push(time)
        setTimeout.call(server, (time / shorter) as never)
        return server
      }) as typeof server.setTimeout
      made.push({ server, options, timeouts })
      return server
    }) as typeof createServer,
  })
  const room = await roomHere(plan.broker ?? null, plan as object)
  let open = true
  const end = async () => {
    if (open) await room.end()
    open = false
  }
  cleanups.push(end)
  return { ...room, end, made, port: Number(new URL(room.page).port) }
}

function socketTo(port: number, ...lines: readonly string[]): Socket {
  const socket = connectSocket(port, 'localhost', () => socket.write(lines.map((line) => `${line}\r\n`).join('')))
  socket.on('error', () => {})
  cleanups.push(() => socket.destroy())
  return socket
}

/** Longer than anything here takes on a busy machine. */
const PATIENCE = 20_000

/** Resolves with what the server has sent once it closes the connection; with `open` if it does not. */
const closing = (socket: Socket) =>
  new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes
    })
    socket.once('close', () => resolve(text))
    setTimeout(resolve, PATIENCE, 'open').unref()
  })

describe('a connection that takes up a place and says nothing is closed', () => {
  test('after five seconds, looked at every second: before a request, after one, and within the head of one', async () => {
    const { port, made } = await openHere({}, 100)
    const [{ options, timeouts }] = made
    expect([options.headersTimeout, options.keepAliveTimeout, options.connectionsCheckingInterval, timeouts]).toEqual([
      5000,
      5000,
      1000,
      [5000],
    ])
    expect(await closing(socketTo(port))).not.toBe('open')
    expect(await closing(socketTo(port, 'GET / HTTP/1.1', 'Host: localhost', ''))).not.toBe('open')
    expect(await closing(socketTo(port, 'GET / HTTP/1.1', 'Host: localhost'))).not.toBe('open')
  })
})

describe('the server serves only the page', () => {
  /** Sends a request with the path exactly as written, unlike browsers. */
  const asked = async (port: number, line: string) =>
    closing(socketTo(port, `${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ''))

  test('by its paths', async () => {
    const { port } = await openHere()
    const paths = {
      ...{ '/': 200, '/assets/conductor-1.js?v=1': 200, '/_headers': 404, '/assets': 404, '/secret.txt': 404 },
      ...{ '/%2e%2e/secret.txt': 404, '/assets/..%5c..%5csecret.txt': 404, '/%': 404 },
    }
    for (const [path, status] of Object.entries(paths)) {
      const answer = await asked(port, `GET ${path}`)
      expect([path, answer.split(' ')[1], answer.includes('not of the page')]).toEqual([path, `${status}`, false])
    }
  })

  test('by GET and HEAD, with the headers of a host', async () => {
    const { port } = await openHere()
    expect(await asked(port, 'POST /')).toMatch(/^HTTP\/1.1 405 /)
    expect(await asked(port, 'HEAD /')).not.toContain('<title>')
    const answer = await asked(port, 'GET /')
    expect(answer).toContain("Content-Security-Policy: default-src 'none'; script-src 'self';")
    expect(answer).toContain("connect-src 'self';")
    expect(answer).toContain('Cross-Origin-Embedder-Policy: require-corp')
    expect(await asked(port, 'GET /assets/conductor-1.js')).toMatch(/'wasm-unsafe-eval'[\s\S]*immutable/)
  })
})

describe('a room', () => {
  test('that cannot listen says why, and opens no broker, which would keep the process alive', async () => {
    const { port } = await openHere({ listenOn: '127.0.0.1' })
    const created = vi.spyOn(Aedes, 'createBroker')
    cleanups.push(() => created.mockRestore())
    await expect(openHere({ listenOn: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    expect(created).not.toHaveBeenCalled()
  })

  test('closes at once, whatever is connected: devices, strangers, requests that are under way', async () => {
    const { port, end, made } = await openHere()
    // Nothing but the end closes these.
    Object.assign(made[0].server, { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 })
    made[0].server.setTimeout(0)
    const half = socketTo(port, 'GET / HTTP/1.1', 'Host: localhost')
    const idle = socketTo(port, 'GET / HTTP/1.1', 'Host: localhost', '')
    await new Promise((resolve) => idle.once('data', resolve))
    const { socket: device, code } = await enterAs(port, 'phone', asDevice)
    const { socket: stranger } = await openRawSocket(port)
    expect(code).toBe(0)
    const gone = [half, idle, device, stranger].map(closing)
    expect(
      await Promise.race([
        end().then(() => 'closed'),
        new Promise((resolve) => setTimeout(resolve, PATIENCE, 'still open').unref()),
      ]),
    ).toBe('closed')
    expect((await Promise.all(gone)).filter((words) => words === 'open')).toEqual([])
    await expect(fetch(`http://localhost:${port}/`)).rejects.toThrow()
  })
})

describe('a name under which this machine is not known', () => {
  const answered = (port: number, host: string) =>
    new Promise<readonly [number | undefined, string]>((resolve) => {
      const asked = request({ port, host: 'localhost', path: '/', headers: { host } }, (response) => {
        let text = ''
        response.on('data', (bytes) => {
          text += bytes
        })
        response.on('end', () => resolve([response.statusCode, text]))
      })
      asked.end()
    })

  test.each([
    ['evil.example', 'evil.example'],
    ['Evil.example:4180', 'evil.example'],
    ['10.99.98.97', '10.99.98.97'],
    ['under_score.example', 'under_score.example'],
    // What a page could be made of is not repeated.
    ["a'b", 'this'],
    ['a&b', 'this'],
    ['[::7]', 'this'],
    [`${'a.'.repeat(127)}b`, 'this'],
    ['a b', 'this'],
    ['127.evil.example', '127.evil.example'],
    ['127.0.0.1.example', '127.0.0.1.example'],
    ['1127.0.0.1', 'this'],
    ['localhost.evil', 'localhost.evil'],
    ['localhost.', 'localhost.'],
    ['lab.example.evil', 'lab.example.evil'],
    [':1', 'this'],
  ])('is refused with the option that makes it known: "%s"', async (host, name) => {
    const { port } = await openHere()
    const words = `This machine is not known as ${name}. Open the room with --host ${name}.\n`
    expect(await answered(port, host)).toEqual([421, words])
  })

  test('is not refused if --host names it, in any case', async () => {
    const { port } = await openHere({ names: ['Lab.example', '192.0.2.7'] })
    for (const host of ['localhost', '127.0.0.1', 'lab.example', 'LAB.example', '192.0.2.7'])
      expect([host, (await answered(port, `${host}:${port}`))[0]]).toEqual([host, 200])
  })

  test('is none of its addresses in the network, also those of IPv6 with a zone', async () => {
    const at = (address: string) => [
      { address, family: address.includes(':') ? 'IPv6' : 'IPv4', internal: false, netmask: '', mac: '', cidr: null },
    ]
    const found = { eth0: at('203.0.113.9'), eth1: at('fe80::1:2%eth1'), eth2: at('2001:db8::5'), none: undefined }
    const { port } = await openHere()
    const statusesOf = async () => {
      const statuses: (number | undefined)[] = []
      for (const host of ['203.0.113.9', '[fe80::1:2]', '[2001:db8::5]', '203.0.113.90', '[2001:db8::6]', '[fe80::1]'])
        statuses.push((await answered(port, `${host}:${port}`))[0])
      return statuses
    }
    expect(await statusesOf()).toEqual([421, 421, 421, 421, 421, 421])
    replace(os, { networkInterfaces: () => found as never })
    expect(await statusesOf()).toEqual([200, 200, 200, 421, 421, 421])
  })
})

describe('a WebSocket', () => {
  test.each([
    ['/mqtt', [], '101 Switching Protocols'],
    ['/mqtt?x=1', [], '101 Switching Protocols'],
    ['/mqtt/', [], '404 Not Found'],
    ['/mqtt2', [], '404 Not Found'],
    ['/other/mqtt', [], '404 Not Found'],
    ['/', [], '404 Not Found'],
    ['/?/mqtt', [], '404 Not Found'],
    ['/mqtt', ['Origin: http://evil.example'], '403 Forbidden'],
    ['/mqtt', ['Origin: null'], '403 Forbidden'],
    ['/mqtt', ['Origin: file://'], '403 Forbidden'],
    ['/mqtt', ['Origin: http://localhost'], '101 Switching Protocols'],
    ['/mqtt', ['Origin: http://localhost:1'], '403 Forbidden'],
  ])('%s %j: %s', async (path, headers, status) => {
    const { port } = await openHere()
    const { socket, head } = await openRawSocket(port, { path, headers })
    cleanups.push(() => socket.destroy())
    expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`)
  })

  test('that is refused is closed, with a policy that allows nothing', async () => {
    const { port } = await openHere()
    const { socket, head } = await openRawSocket(port, { path: '/other' })
    expect(await closing(socket)).not.toBe('open')
    expect(head).toContain(
      "\r\nConnection: close\r\nContent-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n\r\n",
    )
  })

  test('is not compressed, since a short frame could become a long message', async () => {
    const { port } = await openHere()
    const { socket, head } = await openRawSocket(port, { headers: ['Sec-WebSocket-Extensions: permessage-deflate'] })
    socket.destroy()
    expect(head).toContain(' 101 ')
    expect(head.toLowerCase()).not.toContain('sec-websocket-extensions')
  })
})
