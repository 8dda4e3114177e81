import { expect, test } from 'vitest'
import { lanAddress, readPlan } from '../../../../src/features/room/roomCommand.ts'

const at = (address: string, internal = false) => [
  { address, family: 'IPv4', internal, netmask: '', mac: '', cidr: null } as const,
]

test.each([
  [
    'the Wi-Fi, not a container',
    { lo: at('127.0.0.1', true), docker0: at('172.17.0.1'), wlan0: at('192.168.1.7') },
    '192.168.1.7',
  ],
  ['a private address before a public one', { eth0: at('203.0.113.5'), eth1: at('10.0.0.4') }, '10.0.0.4'],
  ['any before one that no router gave', { eth0: at('169.254.3.4'), eth1: at('203.0.113.5') }, '203.0.113.5'],
  ['this machine alone', { lo: at('127.0.0.1', true) }, 'localhost'],
])('links carry %s', (_, interfaces, address) => {
  expect(lanAddress(interfaces)).toBe(address)
})

const script = new URL('file:///bin/room.mjs')
const planOf = (...words: string[]) => readPlan(['--page', '/page', ...words], script)

test('the first --host is in the links, and the page is served under each', () => {
  expect(planOf('--host', 'lab.example', '--port', '0', '--host=10.1.2.3', '--host', 'localhost')).toMatchObject({
    name: 'lab.example',
    plan: { names: ['lab.example', '10.1.2.3', 'localhost'], port: 0, listenOn: undefined },
  })
  expect(planOf('--host', 'localhost').plan).toMatchObject({ names: ['localhost'], listenOn: 'localhost' })
  for (const words of [
    ['--host', 'a', '--host'],
    ['--host', 'a', '--host', 'b c'],
    ['--host', 'a', '--host', '--json'],
    ['--host', '', '--host', 'b'],
  ])
    expect(() => planOf(...words), words.join(' ')).toThrow('--host')
})

test('--verify takes 2 to 9 devices', () => {
  expect([planOf().verify, planOf('--verify', '3').verify]).toEqual([undefined, 3])
  for (const n of ['1', '10', 'x', '2.5']) expect(() => planOf('--verify', n)).toThrow('--verify')
})
