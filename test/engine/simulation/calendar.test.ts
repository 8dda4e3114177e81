import { expect, test } from 'vitest'
import { book, cancel, createCalendar, nextDue, takeDue } from '../../../src/engine/simulation/calendar.ts'
import { createChance } from '../../fixtures/chance.ts'

test('the calendar hands out bookings by time, then by worker, as a plain list would, whatever is booked and cancelled', () => {
  for (let seed = 0; seed < 40; seed++) {
    const chance = createChance(seed)
    const workers = chance.between(1, 40)
    const calendar = createCalendar(workers)
    const plain = new Map<number, number>()
    for (let step = 0; step < 200; step++) {
      const worker = chance.below(workers)
      if (chance.percent(20)) {
        cancel(calendar, worker)
        plain.delete(worker)
      } else if (!plain.has(worker) && chance.percent(70)) {
        const time = chance.below(50)
        book(calendar, worker, time)
        plain.set(worker, time)
      } else if (plain.size > 0 && chance.percent(60)) {
        const [first] = [...plain].sort(([a, s], [b, t]) => s - t || a - b)
        expect(nextDue(calendar)).toBe(first[1])
        expect(takeDue(calendar)).toBe(first[0])
        plain.delete(first[0])
      }
      expect(calendar.length).toBe(plain.size)
      expect(nextDue(calendar)).toBe(Math.min(Infinity, ...plain.values()))
      const wrong = calendar.at.findIndex((time, w) => time !== (plain.get(w) ?? Infinity))
      expect(wrong).toBe(-1)
    }
  }
})
