import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seatDots } from '../../../src/views/parliament/seatDots.ts'

const anySeats = fc.array(fc.nat(3000), { minLength: 1, maxLength: 8 }).chain((seats) => {
  const sum = seats.reduce((all, n) => all + n, 0)
  return fc.record({ seats: fc.constant(seats), workers: fc.integer({ min: Math.max(1, sum), max: sum + 500 }) })
})

test('at most 256 dots, and up to each border between stages as many as the seats there say, within half a dot', () => {
  fc.assert(
    fc.property(anySeats, ({ seats, workers }) => {
      const { each, dots, seats: rounded } = seatDots(workers, seats)
      expect(dots).toBeLessThanOrEqual(256)
      expect(dots).toBe(Math.ceil(workers / each))
      let [exact, drawn] = [0, 0]
      for (const [stage, n] of seats.entries()) {
        exact += n
        drawn += rounded[stage]
        expect(Math.abs(drawn * each - exact)).toBeLessThanOrEqual(each / 2)
      }
      expect(drawn).toBeLessThanOrEqual(dots)
    }),
  )
})

test('a stage with all its workers is full, and 256 workers have a dot each', () => {
  fc.assert(
    fc.property(anySeats, ({ seats, workers }) => {
      const dots = seatDots(workers, seats, seats)
      expect(dots.posted).toEqual(dots.seats)
      if (workers <= 256) expect(dots).toEqual({ each: 1, dots: workers, seats, posted: seats })
    }),
  )
})

test.each([
  [257, 2],
  [10_000, 50],
])('of %i workers a dot is %i', (workers, each) => expect(seatDots(workers, [workers]).each).toBe(each))
