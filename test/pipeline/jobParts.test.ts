import { expect, test } from 'vitest'
import { createJobParts } from '../../src/pipeline/state.ts'
import { createChance } from '../fixtures/chance.ts'

test('the parts of a job are as many as were added and not removed, for any job, and meet when all have come', () => {
  const joins = Uint16Array.of(0, 3, 2)
  for (let seed = 0; seed < 40; seed++) {
    const chance = createChance(seed)
    const parts = createJobParts(joins)
    const [left, here, givenUp] = [new Map<number, number>(), new Map<string, number>(), new Set<number>()]
    for (let step = 0; step < 80; step++) {
      // Of jobs beyond the room there is at first, too; one by one or far ahead.
      const job = chance.pick([0, 1, 63, 64, 65, chance.below(500)])
      const stage = chance.between(1, 2)
      const act = chance.pick(['more', 'more', 'less', 'forget', 'gather', 'gather', 'scatter', 'give up'])
      const count = left.get(job) ?? 1
      const met = here.get(`${stage} ${job}`) ?? 0
      const label = `${act} of job ${job} in step ${step} of seed ${seed}`
      if (act === 'more') {
        const more = chance.between(1, 3)
        parts.more(job, more)
        left.set(job, count + more)
      } else if (act === 'less') {
        const fewer = chance.between(0, count)
        expect(parts.less(job, fewer), label).toBe(count - fewer)
        left.set(job, Math.max(1, count - fewer))
      } else if (act === 'forget') {
        parts.forget(job)
        left.delete(job)
      } else if (act === 'gather') {
        expect(parts.gather(stage, job), label).toBe(met + 1)
        here.set(`${stage} ${job}`, met + 1)
      } else if (act === 'scatter') {
        expect(parts.scatter(stage, job), label).toBe(met)
        here.delete(`${stage} ${job}`)
        expect(parts.scatter(0, job)).toBe(0)
      } else {
        expect(parts.giveUp(job), label).toBe(!givenUp.has(job))
        givenUp.add(job)
      }
    }
    for (const [job, count] of left) expect(parts.less(job, 0)).toBe(count)
  }
})
