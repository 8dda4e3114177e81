import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import os, { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'lean-qr'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readRoomLink } from '../../../src/features/room/protocol/links.ts'
import { lanAddress, readPlan, roomCommand, terminalCode } from '../../../src/features/room/roomCommand.ts'
import { replaceIn, terminalHere } from './terminalHere.ts'

const cleanups: (() => unknown)[] = []
let terminal: ReturnType<typeof terminalHere>
beforeEach(() => {
  terminal = terminalHere()
  cleanups.push(terminal.end)
})
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const script = new URL('file:///bin/room.mjs')
const secret = (letter: string) => letter.repeat(16)
const named = ['--room', 'Lab7', '--host-token', secret('h'), '--join-token', secret('j')]
const planOf = (...words: string[]) => readPlan(['--page', '/page', ...words], script)

describe('the words behind the command', () => {
  test('may be missing: then the room has a random name and random tokens, and this machine its address in the network', () => {
    cleanups.push(
      replaceIn(os, {
        networkInterfaces: () => ({ wlan0: [{ address: '192.168.7.9', family: 'IPv4', internal: false }] }) as never,
      }),
    )
    const { plan, name, json } = planOf()
    expect(plan).toMatchObject({
      folder: '/page',
      port: 4180,
      listenOn: undefined,
      names: ['192.168.7.9'],
      broker: null,
    })
    expect([plan.room, plan.host, plan.join].map((text) => /^([A-HJ-NP-Z2-9]{6}|[\w-]{22})$/.test(text))).toEqual([
      true,
      true,
      true,
    ])
    expect([name, json, plan.host === plan.join]).toEqual(['192.168.7.9', false, false])
    expect(planOf().plan.room).not.toBe(plan.room)
  })

  test('say everything else', () => {
    const words = [...named, '--broker', 'wss://mq.example/mqtt', '--json']
    expect(planOf(...words, '--port=0', '--host=lab.example')).toEqual({
      plan: {
        ...{ folder: '/page', port: 0, listenOn: undefined, names: ['lab.example'], broker: 'wss://mq.example/mqtt' },
        ...{ room: 'Lab7', host: secret('h'), join: secret('j') },
      },
      ...{ name: 'lab.example', json: true },
    })
  })

  test.each([
    [['--host', 'localhost'], 'localhost'],
    [['--host', '127.0.0.1'], '127.0.0.1'],
    [['--host', 'localhost', '--host', '127.0.0.1'], undefined],
    [['--host', 'localhost.example'], undefined],
    [['--host', '127.0.0.10'], undefined],
    [['--host', 'lab.example', '--host', 'localhost'], undefined],
  ])('%j: the server listens on %s', (words, listenOn) => {
    expect(planOf(...words).plan.listenOn).toBe(listenOn)
  })

  test('may name this machine several times: the first name is in the links, and the page is served under each', () => {
    expect(planOf('--host', 'lab.example', '--host=10.1.2.3', '--host', 'localhost')).toMatchObject({
      name: 'lab.example',
      plan: { names: ['lab.example', '10.1.2.3', 'localhost'], listenOn: undefined },
    })
    for (const words of [
      ['--host', 'a', '--host'],
      ['--host', 'a', '--host', '--json'],
      ['--host', '', '--host', 'b'],
    ])
      expect(() => planOf(...words), words.join(' ')).toThrow('--host')
  })

  test.each<[string[], string]>([
    [['--port', '65536'], '--port: found "65536"; allowed: a whole number from 0 to 65535'],
    [['--port', '-1'], '--port: found "-1"; allowed: a whole number from 0 to 65535'],
    [['--port', '1.5'], '--port: found "1.5"'],
    [['--port', '123456'], '--port: found "123456"'],
    [['--port', 'x1'], '--port: found "x1"'],
    [['--host', 'a b'], '--host: found "a b"; allowed: the name or IPv4 address of this machine'],
    [['--host', 'a/b'], '--host: found "a/b"'],
    [['--host', '[::1]'], '--host: found "[::1]"'],
    [['--host', '1.2.3.999'], '--host: found "1.2.3.999"'],
    [['--host', `${'a'.repeat(254)}`], '--host: found "'],
    [['--host', 'a', '--host', 'b:80'], '--host: found "b:80"'],
    [['--host', 'a', '--host=b/c', '--host', 'd'], '--host: found "b/c"'],
    [['--broker', 'http://mq'], '--broker: The broker "http://mq" is not an address of a WebSocket.'],
    [['--room', 'a b'], '--room: The room "a b" has no valid name.'],
    [['--room', 'R'.repeat(41)], '--room: The room "RRRR'],
    [['--host-token', 'short'], '--host-token: The token of the room is incomplete.'],
    [['--join-token', 'short'], '--join-token: The token of the room is incomplete.'],
    [
      ['--host-token', secret('t'), '--join-token', secret('t')],
      '--join-token: is the token of the host. Choose another one, or every device is a host.',
    ],
    [['somewhere'], 'unknown word "somewhere"\n\nusage: apportion room [options]'],
    [['--nothing', '1'], '--nothing: unknown option'],
  ])('are refused with what is wrong: %j', (words, message) => {
    expect(() => planOf(...words)).toThrow(message)
  })
})

/** A built page of a test. */
function pageHere(): string {
  const folder = mkdtempSync(join(tmpdir(), 'apportion-page-'))
  for (const name of ['index.html', '_headers']) writeFileSync(join(folder, name), '')
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Waits until the process would have ended. */
const exited = () => expect.poll(() => terminal.exits().length, { interval: 5, timeout: 20_000 }).toBeGreaterThan(0)

/** Opens a room as the terminal would, until this test ends. */
async function opened(...words: string[]): Promise<string> {
  cleanups.push(async () => {
    terminal.send('SIGTERM')
    await exited()
  })
  await roomCommand.run(['--port', '0', '--host', 'localhost', ...words], script)
  return terminal.printed()
}

describe('a room of the terminal', () => {
  test('prints both links as one line of JSON, with what a device and a host need', async () => {
    const printed = await opened(...named, '--json', '--page', pageHere())
    expect(printed).toMatch(/^\{.*\}\n$/)
    const links = JSON.parse(printed)
    const port = Number(new URL(links.page).port)
    expect([Object.keys(links), links.page, port > 0]).toEqual([
      ['page', 'join', 'host'],
      `http://localhost:${port}/`,
      true,
    ])
    const broker = `ws://localhost:${port}/mqtt`
    expect(readRoomLink(links.join, 'join')).toMatchObject({
      found: 'room',
      address: { broker, room: 'Lab7', role: 'join', token: secret('j') },
    })
    expect(readRoomLink(links.host, 'host')).toMatchObject({
      ...{
        found: 'room',
        address: { broker, room: 'Lab7', role: 'host', token: secret('h'), joinToken: secret('j') },
      },
    })
    expect([links.join.includes(secret('h')), links.join.startsWith(links.page)]).toEqual([false, true])
    expect((await fetch(links.page)).status).toBe(200)
  })

  test('prints a code and says which link is whose', async () => {
    const printed = await opened(...named, '--page', pageHere())
    const [, link = ''] = /Devices join here: {3}(\S+)\n/.exec(printed) ?? []
    expect(readRoomLink(link, 'join')).toMatchObject({ address: { token: secret('j') } })
    expect(printed).toContain(`\n${terminalCode(link, process.stdout.isTTY)}\n`)
    expect(printed).toMatch(/Open this yourself: {2}http:\/\/localhost:\d+\/#host=Lab7\.h{16}\.j{16}\n/)
    expect(printed).toContain(
      'Keep the second link to yourself: anyone who has it conducts the room. Ctrl-C closes the room.',
    )
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('closes at %s, and ends with status 0', async (signal) => {
    await roomCommand.run(['--port', '0', '--host', 'localhost', '--json', '--page', pageHere()], script)
    const { page } = JSON.parse(terminal.printed())
    expect([terminal.listening(), terminal.exits()]).toEqual([[1, 1], []])
    terminal.send(signal)
    await exited()
    expect(terminal.exits()).toEqual([0])
    await expect(fetch(page)).rejects.toThrow()
  })

  test('says that no page is built in the folder that it was told', async () => {
    await expect(roomCommand.run(['--port', '0', '--host', 'localhost', '--page', '/no/such'], script)).rejects.toThrow(
      '--page: "/no/such" holds no built page. Run npm run build first.',
    )
  })

  test.each([
    ['EACCES', '--port: port 80 is not allowed to you. Choose one from 1024 on.'],
    ['EADDRINUSE', '--port: port 80 is taken. Choose another one, or 0 for any that is free.'],
    ['EADDRNOTAVAIL', 'The room cannot be opened: listen EADDRNOTAVAIL'],
  ])('says what is wrong if the system answers %s', async (code, words) => {
    const server = Object.assign(new EventEmitter(), {
      setTimeout() {},
      listen: () => void server.emit('error', Object.assign(new Error(`listen ${code}`), { code })),
    })
    cleanups.push(replaceIn(http, { createServer: () => server as never }))
    await expect(
      roomCommand.run(['--port', '80', '--host', 'localhost', '--page', pageHere()], script),
    ).rejects.toThrow(words)
    expect(terminal.listening()).toEqual([0, 0])
  })
})

describe('the address of this machine in the network', () => {
  const at = (address: string, more: object = {}) => [{ address, family: 'IPv4', internal: false, ...more } as never]

  test.each([
    ['172.16.0.1', true],
    ['172.31.255.1', true],
    ['172.15.0.1', false],
    ['172.32.0.1', false],
    ['10.0.0.1', true],
    ['192.168.0.1', true],
    ['192.169.0.1', false],
    ['110.0.0.1', false],
    ['100.64.0.1', false],
  ])('%s is private: %s', (address, isPrivate) => {
    // A public one that is listed first is chosen unless the other is private.
    expect(lanAddress({ eth0: at('203.0.113.5'), eth1: at(address) })).toBe(isPrivate ? address : '203.0.113.5')
  })

  test.each(['docker0', 'br-1a2b', 'utun3', 'Tailscale', 'vEthernet (WSL)'])(
    'is none of %s, unless there is no other',
    (name) => {
      expect(lanAddress({ [name]: at('192.168.9.1'), eth0: at('203.0.113.5') })).toBe('203.0.113.5')
      expect(lanAddress({ [name]: at('192.168.9.1'), eth0: at('169.254.1.1') })).toBe('192.168.9.1')
      expect(lanAddress({ [name]: at('192.168.9.1') })).toBe('192.168.9.1')
    },
  )
})

describe('the code of a link in a terminal', () => {
  const link = `http://192.168.1.7:4180/join.html#room=ABCDEF.${secret('t')}`

  const [begin, end] = ['\x1b[30;107m', '\x1b[0m']

  /** Returns where a code in a terminal is dark, row by row. */
  function darkIn(text: string, coloured: boolean): boolean[][] {
    return text.split('\n').flatMap((line) => {
      const inside = coloured ? line.slice(begin.length, -end.length) : line
      expect(line).toBe(coloured ? begin + inside + end : inside)
      const drawn = [...inside].map(
        (character) =>
          ({ '█': [true, true], '▀': [true, false], '▄': [false, true], ' ': [false, false] })[character] ?? [],
      )
      return [0, 1].map((half) => drawn.map((dots) => dots[half] === coloured))
    })
  }

  test.each([true, false])(
    'is the code of the link with a light border of two dots; black on white: %s',
    (coloured) => {
      const code = generate(link)
      const dark = darkIn(terminalCode(link, coloured), coloured)
      const width = code.size + 4
      expect(new Set(dark.map(({ length }) => length))).toEqual(new Set([width]))
      expect([dark.length - width, dark.length % 2]).toEqual([width % 2, 0])
      for (const [y, row] of dark.entries())
        for (const [x, is] of row.entries()) expect(is, `${x} ${y}`).toBe(code.get(x - 2, y - 2))
    },
  )
})
