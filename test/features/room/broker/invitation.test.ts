import { expect, test } from 'vitest'
import { lanAddress } from '../../../../src/features/room/roomCommand.ts'

const at = (address: string, internal = false) => [{ address, family: 'IPv4', internal, netmask: '', mac: '', cidr: null } as const]

test.each([
  ['the Wi-Fi, not a container', { lo: at('127.0.0.1', true), docker0: at('172.17.0.1'), wlan0: at('192.168.1.7') }, '192.168.1.7'],
  ['a private address before a public one', { eth0: at('203.0.113.5'), eth1: at('10.0.0.4') }, '10.0.0.4'],
  ['any before one that no router gave', { eth0: at('169.254.3.4'), eth1: at('203.0.113.5') }, '203.0.113.5'],
  ['this machine alone', { lo: at('127.0.0.1', true) }, 'localhost'],
])('links carry %s', (_, interfaces, address) => {
  expect(lanAddress(interfaces)).toBe(address)
})
