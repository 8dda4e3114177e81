import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deviceOf, deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'
import {
  addressToJoin,
  brokerProblem,
  ownBroker,
  readRoomLink,
  roomLink,
} from '../../../../src/features/room/protocol/links.ts'
import type { RoomAddress } from '../../../../src/runs/remote/remoteEngine.ts'
import { readFragment } from '../../../../src/scenario/link/codec.ts'

const word = (most: number, least = 1, more = '') =>
  fc.string({ unit: fc.constantFrom(...`ABCxyz0189${more}`), minLength: least, maxLength: most })
const anyRoom = fc.record({
  page: fc.constantFrom('http://192.168.1.7:4173/', 'https://example.org/apportion/', 'http://localhost:80/a%20b/'),
  room: word(40),
  token: word(86, 16, '-_'),
  broker: fc.option(fc.constantFrom('wss://mq.example.org/mqtt', 'ws://10.0.0.1:9001/', 'wss://h/mqtt?a=1&b=%26'), {
    nil: undefined,
  }),
})
const address = (
  page: string,
  role: 'host' | 'join',
  { room, token, broker }: { room: string; token: string; broker: string | undefined },
): RoomAddress => ({
  broker: broker ?? ownBroker(page),
  room,
  role,
  token,
})

describe('a link of a room', () => {
  test('is read as what it was made of', () => {
    fc.assert(
      fc.property(anyRoom, ({ page, ...rest }) => {
        const host = address(page, 'host', rest)
        expect(readRoomLink(roomLink(page, host), 'host')).toEqual({ found: 'room', address: host, rest: '' })
        const join = address(page, 'join', rest)
        expect(readRoomLink(roomLink(page, join), 'join')).toEqual({ found: 'room', address: join, rest: '' })
        expect(roomLink(page, join)).toContain('/join.html#room=')
      }),
    )
  })

  test.each([
    ['http://h:1/', 'ws://h:1/mqtt'],
    ['http://h:1/folder/', 'ws://h:1/folder/mqtt'],
    ['http://h:1/join.html#room=R', 'ws://h:1/mqtt'],
    ['https://example.org/', 'wss://example.org/mqtt'],
    ['https://example.org/apportion/#s=1', 'wss://example.org/apportion/mqtt'],
  ])('of %s means the broker %s beside the page, as safe as the page', (page, broker) => {
    expect(ownBroker(page)).toBe(broker)
  })

  test('of a host may have the token of devices, and gives them no other', () => {
    const host: RoomAddress = {
      broker: 'ws://h:1/mqtt',
      room: 'R',
      role: 'host',
      token: 'abcdefghijklmnop',
      joinToken: 'ponmlkjihgfedcba',
    }
    const link = roomLink('http://h:1/', host)
    expect(link).toBe('http://h:1/#host=R.abcdefghijklmnop.ponmlkjihgfedcba')
    expect(readRoomLink(link, 'host')).toEqual({ found: 'room', address: host, rest: '' })
    const join = addressToJoin(host)
    expect(join && roomLink('http://h:1/', join)).toBe('http://h:1/join.html#room=R.ponmlkjihgfedcba')
    expect(addressToJoin({ broker: 'ws://h:1/mqtt', room: 'R', role: 'host', token: 'abcdefghijklmnop' })).toBeNull()
    expect(join && roomLink('http://h:1/', { ...join, broker: 'wss://b/mqtt' })).toContain(
      '&broker=wss%3A%2F%2Fb%2Fmqtt',
    )
    expect(readRoomLink('http://h/join.html#room=R.abcdefghijklmnop.ponmlkjihgfedcba', 'join').found).toBe('problem')
  })

  test('has tokens of 16 to 86 characters', () => {
    for (const [length, found] of [
      [15, 'problem'],
      [16, 'room'],
      [86, 'room'],
      [87, 'problem'],
    ] as const) {
      expect(readRoomLink(`http://h/join.html#room=R.${'a'.repeat(length)}`, 'join').found).toBe(found)
      expect(readRoomLink(`http://h/#host=R.${'b'.repeat(20)}.${'a'.repeat(length)}`, 'host').found).toBe(found)
    }
  })

  const room = 'host=R.abcdefghijklmnop'
  test.each([
    [`#${room}`, ''],
    [`#${room}&s=1abc&t=5`, 's=1abc&t=5'],
    [`#s=1abc&${room}&broker=wss%3A%2F%2Fb%2F&t=5`, 's=1abc&t=5'],
    [`#broker=wss%3A%2F%2Fb%2F&${room}&json=%7B%7D`, 'json=%7B%7D'],
    [`#${room}&host=S.bbbbbbbbbbbbbbbb&t=5`, 'host=S.bbbbbbbbbbbbbbbb&t=5'],
    [`#json={"title":"a&host=b"}&${room}&t=5`, 'json={%22title%22:%22a&host=b%22}&t=5'],
    [`#${room}&json={"title":"a&host=b"}&t=5`, 'json={%22title%22:%22a&host=b%22}&t=5'],
  ])('leaves the scenario of %s as it is', (hash, rest) => {
    const read = readRoomLink(`http://h/${hash}`, 'host')
    expect(read).toMatchObject({ found: 'room', address: { room: 'R', token: 'abcdefghijklmnop' }, rest })
    if (rest.includes('title')) expect(readFragment(rest)).toMatchObject({ found: 'problems' })
  })

  test.each([
    ['http://h/', 'nothing'],
    ['http://h/#json={"title":"&host=R.abcdefghijklmnop&x="}', 'nothing'],
    ['http://h/#room=R.abcdefghijklmnop', 'nothing'],
    ['http://h/#host=%2B.abcdefghijklmnop', 'problem'],
    ['http://h/#host=R.abcdefghijklmnop.more', 'problem'],
    ['http://h/#host=R.abcdefghijklmnop.ponmlkjihgfedcba.more', 'problem'],
    [`http://h/#host=${'R'.repeat(41)}.abcdefghijklmnop`, 'problem'],
    ['http://h/#host=R.abcdefghijklmnop&broker=http%3A%2F%2Fb%2F', 'problem'],
    ['host=R.abcdefghijklmnop', 'problem'],
  ])('%s: %s', (link, found) => {
    expect(readRoomLink(link, 'host').found).toBe(found)
  })

  test('with a field twice keeps the first', () => {
    const other = 'wss%3A%2F%2Fother%2F'
    const link = `http://h/#${room}&broker=wss%3A%2F%2Fb%2F&host=S.ponmlkjihgfedcba&broker=${other}`
    expect(readRoomLink(link, 'host')).toMatchObject({
      found: 'room',
      address: { room: 'R', token: 'abcdefghijklmnop', broker: 'wss://b/' },
    })
    expect(readRoomLink(`http://h/join.html#room=R.abcdefghijklmnop&room=S.ponmlkjihgfedcba`, 'join')).toMatchObject({
      address: { room: 'R' },
    })
  })

  test('that is damaged is refused with a reason that does not repeat the secret', () => {
    const read = readRoomLink('http://h/join.html#room=R.secret!', 'join')
    expect(read).toEqual({ found: 'problem', problem: expect.stringContaining('incomplete') })
    expect(JSON.stringify(read)).not.toContain('secret')
  })

  test.each([
    'http://b/',
    'wss://u:p@b/',
    'wss://u@b/',
    'wss://:p@b/',
    'x-ws://b/',
    'wss://b/#x',
    'javascript:1',
    '',
    `wss://b/${'x'.repeat(400)}`,
  ])('the broker %s is refused', (broker) => {
    expect(brokerProblem(broker)).toContain('Allowed: ws://')
  })
})

test('a topic names its device, and no other topic does', () => {
  expect(deviceOf('R', deviceTopic('R', 'a1', 'up'), 'up')).toBe('a1')
  for (const topic of [
    '',
    deviceTopic('R', 'a1', 'is'),
    deviceTopic('S', 'a1', 'up'),
    `${deviceTopic('R', 'a1', 'up')}/x`,
  ])
    expect(deviceOf('R', topic, 'up')).toBeNull()
  for (const device of ['', 'a b', ' a', 'a ', 'x'.repeat(41)])
    expect(deviceOf('R', deviceTopic('R', device, 'up'), 'up')).toBeNull()
})
