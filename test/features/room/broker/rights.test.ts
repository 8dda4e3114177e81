import { describe, expect, test } from 'vitest'
import {
  isSecret,
  mayBeCalled,
  mayLeave,
  mayPublish,
  mayReceive,
  newToken,
  type Visitor,
} from '../../../../src/features/room/brokerServer/rights.ts'

const host: Visitor = { room: 'R', role: 'host', id: 'host1' }
const device: Visitor = { room: 'R', role: 'join', id: 'phone7' }
const message = (topic: string, more = {}) => ({ topic, qos: 0, retain: false, length: 10, ...more })
const kept = { retain: true }

describe('a device', () => {
  test.each([
    ['apportion/1/R/d/phone7/is', kept, true],
    ['apportion/1/R/d/phone7/is', { retain: true, length: 0 }, true],
    ['apportion/1/R/d/phone7/up', { length: 4_000_000 }, true],
    ['apportion/1/R/d/phone7/says', {}, true],
    ['apportion/1/R/d/phone8/is', kept, false],
    ['apportion/1/R/d/phone8/up', {}, false],
    ['apportion/1/R/d/phone7/down', {}, false],
    ['apportion/1/R/all', kept, false],
    ['apportion/1/R/full', kept, false],
    ['apportion/1/R/d/phone7/up', kept, false],
    ['apportion/1/R/d/phone7/says', kept, false],
    ['apportion/1/R/d/phone7/up', { qos: 1 }, false],
    ['apportion/1/R/d/phone7/is', { retain: true, length: 20_000 }, false],
    ['apportion/1/R/d/phone7/says', { length: 20_000 }, false],
  ])('may publish %s %j: %s', (topic, more, may) => {
    expect(mayPublish(device, message(topic, more))).toBe(may)
  })

  test.each([
    ['apportion/1/R/d/phone7/down', true],
    ['apportion/1/R/d/phone7/is', true],
    ['apportion/1/R/all', true],
    ['apportion/1/R/d/phone8/down', false],
    ['apportion/1/R/d/+/down', false],
    ['apportion/1/R/full', false],
    ['apportion/1/R/d/phone7/up', false],
    ['#', false],
    ['$SYS/#', false],
  ])('may receive %s: %s', (filter, may) => {
    expect(mayReceive(device, filter)).toBe(may)
  })

  test.each([
    ['its own end', message('apportion/1/R/d/phone7/is', { retain: true, length: 0 }), true],
    ['a word behind its end', message('apportion/1/R/d/phone7/is', kept), false],
    ['the end of another', message('apportion/1/R/d/phone8/is', { retain: true, length: 0 }), false],
    ['an answer', message('apportion/1/R/d/phone7/up', { length: 0 }), false],
    ['a word for the host', message('apportion/1/R/d/phone7/says', { length: 0 }), false],
    ['work for another', message('apportion/1/R/d/phone8/down', { length: 0 }), false],
  ])('leaves as a will %s: %s', (_, will, may) => {
    expect(mayLeave(device, will)).toBe(may)
  })

  test.each([
    ['phone7', true],
    ['host7', false],
    ['Host7', false],
    ['', false],
    ['+', false],
    ['x'.repeat(41), false],
  ])('may be called %s: %s', (id, may) => {
    expect(mayBeCalled('join', id)).toBe(may)
  })
})

describe('a host', () => {
  test.each([
    ['apportion/1/R/d/phone7/down', {}, true],
    ['apportion/1/R/all', kept, true],
    ['apportion/1/R/all', { retain: true, length: 16_384 }, true],
    ['apportion/1/R/all', { retain: true, length: 16_385 }, false],
    ['apportion/1/R/d/phone7/down', kept, false],
    ['apportion/1/R/d/phone7/up', {}, false],
    ['apportion/1/R/d/phone7/is', kept, false],
    ['apportion/1/S/all', kept, false],
    ['apportion/1/R/full', kept, false],
    ['apportion/1/R/d/a b/down', {}, false],
  ])('may publish %s %j: %s', (topic, more, may) => {
    expect(mayPublish(host, message(topic, more))).toBe(may)
  })

  test.each([
    ['apportion/1/R/d/+/is', true],
    ['apportion/1/R/d/+/up', true],
    ['apportion/1/R/d/+/says', true],
    ['apportion/1/R/d/phone7/up', true],
    ['apportion/1/R/all', true],
    ['apportion/1/R/full', true],
    ['apportion/1/S/full', false],
    ['apportion/1/R/d/+/down', false],
    ['apportion/1/S/d/+/up', false],
    ['#', false],
    ['$SYS/#', false],
  ])('may receive %s: %s', (filter, may) => {
    expect(mayReceive(host, filter)).toBe(may)
  })

  test('has an id of its kind, and no will', () => {
    expect(['host', 'host1', 'phone7', 'host/1'].map((id) => mayBeCalled('host', id))).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(mayLeave(host, message('apportion/1/R/all', { retain: true, length: 0 }))).toBe(false)
  })
})

test('a secret is the whole of it: no other token, part or continuation', () => {
  const secret = newToken()
  const is = (text: string) => isSecret(Buffer.from(text), secret)
  expect([
    is(secret),
    is(''),
    is(secret.slice(0, -1)),
    is(`${secret}A`),
    is(secret.toLowerCase()),
    is(` ${secret}`),
  ]).toEqual([true, false, false, false, false, false])
  expect(Array.from({ length: 3000 }, newToken).filter(is)).toEqual([])
})
