import { expect, test } from 'vitest'
import { Calendar } from '../../../src/engine/simulation/calendar.ts'
import { createChance } from '../../fixtures/chance.ts'

test('the calendar hands out bookings by time, then by worker, as a plain list would, whatever is booked and cancelled', () => {
  for (let seed = 0; seed < 40; seed++) {
    const chance = createChance(seed)
    const workers = chance.between(1, 40)
    const calendar = new Calendar(workers)
    const plain = new Map<number, number>()
    for (let step = 0; step < 200; step++) {
      const worker = chance.below(workers)
      if (chance.percent(20)) {
        expect(calendar.cancel(worker)).toBe(plain.has(worker))
        plain.delete(worker)
      } else if (!plain.has(worker) && chance.percent(70)) {
        const time = chance.below(50)
        calendar.set(worker, time)
        plain.set(worker, time)
      } else if (plain.size > 0 && chance.percent(60)) {
        const [first] = [...plain].sort(([a, s], [b, t]) => s - t || a - b)
        expect(calendar.next).toBe(first[1])
        expect(calendar.isFirstAlone).toBe([...plain.values()].filter((time) => time === first[1]).length === 1)
        const due = new Int32Array(64).fill(-1)
        const found = calendar.firsts(due)
        const together = [...plain].filter(([, time]) => time === first[1]).map(([w]) => w)
        expect([...due.subarray(0, found)]).toEqual(together.sort((a, b) => a - b))
        expect(calendar.first).toBe(first[0])
        expect(calendar.take()).toBe(first[0])
        plain.delete(first[0])
      }
      expect(calendar.next).toBe(Math.min(Infinity, ...plain.values()))
      const wrong = calendar.due.findIndex((time, w) => time !== (plain.get(w) ?? Infinity))
      expect(wrong).toBe(-1)
    }
  }
})
