import { expect, test } from 'vitest'
import { deviceOf, deviceTopic } from '../../../../src/features/room/protocol/carrier.ts'

test('a topic names its device, and no other topic does', () => {
  expect(deviceOf('R', deviceTopic('R', 'a1', 'up'), 'up')).toBe('a1')
  for (const topic of ['', deviceTopic('R', 'a1', 'is'), deviceTopic('S', 'a1', 'up'), `${deviceTopic('R', 'a1', 'up')}/x`])
    expect(deviceOf('R', topic, 'up')).toBeNull()
  for (const device of ['', 'a b', ' a', 'a ', 'x'.repeat(41)]) expect(deviceOf('R', deviceTopic('R', device, 'up'), 'up')).toBeNull()
})
