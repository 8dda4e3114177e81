import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPacketMeter } from '../../../../src/features/room/brokerServer/socketStream.ts'

const allowance = { longest: 1000, messagesPerSecond: 10, bytesPerSecond: 100_000 }

/** A packet of MQTT: a type, the length in digits of seven bits, and this many bytes. */
function packet(length: number): number[] {
  const digits: number[] = []
  let rest = length
  do {
    digits.push((rest % 128) + (rest >= 128 ? 128 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return [48, ...digits, ...Array.from({ length }, () => 255)]
}

test('packets are counted alike however the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000), { maxLength: 24 }), fc.integer({ min: 1, max: 700 }), (lengths, piece) => {
      const meter = createPacketMeter(allowance, 0)
      const stream = Uint8Array.from(lengths.flatMap(packet))
      let fine = true
      for (let at = 0; at < stream.length; at += piece) fine = meter.take(stream.subarray(at, at + piece), 0) && fine
      // Two seconds' worth may come at once.
      expect(fine).toBe(lengths.length <= 20)
    }),
  )
})

test('a packet that is too long is refused at its head, and so is a length that never ends', () => {
  expect(createPacketMeter(allowance, 0).take(Uint8Array.from(packet(1001).slice(0, 3)), 0)).toBe(false)
  expect(createPacketMeter(allowance, 0).take(Uint8Array.of(48, 255, 255, 255, 255, 1), 0)).toBe(false)
})

test('a patient client is never refused for how much it sends, and waits until that is allowed', () => {
  const meter = createPacketMeter({ ...allowance, patient: true }, 0)
  const many = Uint8Array.from(Array.from({ length: 40 }, () => packet(1)).flat())
  expect([meter.take(many, 0), meter.wait()]).toEqual([true, 2000])
  expect([meter.take(Uint8Array.from(packet(1)), 2000), meter.wait()]).toEqual([true, 100])
  expect(meter.take(Uint8Array.from(packet(1001)), 9000)).toBe(false)
})

test('time brings new allowance, and a client that is let in gets another', () => {
  const meter = createPacketMeter(allowance, 0)
  const many = Uint8Array.from(Array.from({ length: 20 }, () => packet(1)).flat())
  expect(meter.take(many, 0)).toBe(true)
  expect(meter.take(many, 2000)).toBe(true)
  expect(meter.take(many, 2100)).toBe(false)
  meter.allow({ ...allowance, messagesPerSecond: 1000 })
  expect(meter.take(many, 2100)).toBe(true)
})
