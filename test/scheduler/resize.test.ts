import { expect, test } from 'vitest'
import { countRow } from '../../src/pipeline/countRow.ts'
import { ABSENT, BUSY, createCounts, IDLE } from '../../src/pipeline/counts.ts'
import { DISMISSED, HIRED } from '../../src/pipeline/rows.ts'
import { playSimulation } from '../../src/runs/play/play.ts'
import { eachRow } from '../../src/trace/trace.ts'
import { valid } from '../fixtures/anyScenario.ts'
import { createChance } from '../fixtures/chance.ts'

test('a pool dismisses who was idle longest, of equals the highest number; if none is, the highest busy one; it hires the lowest (seeds 1 to 40)', async () => {
  const met = { hired: 0, longer: 0, equal: 0, busy: 0 }
  for (let seed = 1; seed <= 40; seed++) {
    const chance = createChance(seed)
    // Jobs that come and end together leave workers idle from one instant on.
    const at = Array.from({ length: 10 }, () => 1000 * chance.below(40)).flatMap((time) => Array.from({ length: chance.between(1, 5) }, () => time))
    const aimd = { kind: 'aimd', high: 0, increase: 2, decrease: 0.5, idle: 2000, every: 1000 }
    const policy = chance.pick([aimd, { kind: 'pid', kp: 1, ki: 0, kd: 0, every: 1000, setpoint: 1, up: -1, down: 1 }])
    const stages = ['A', 'B'].map((id) => ({ id, service: { kind: 'constant', mean: 1000 * chance.between(1, 4) } }))
    const scenario = valid({ version: 1, source: { kind: 'times', at: at.sort((a, b) => a - b) }, stages, workers: 8, policy })
    const trace = await playSimulation(scenario, 0)
    const counts = createCounts(scenario)
    eachRow(trace, 0, trace.length, (rows, i) => {
      const [kind, stage, worker] = [rows.kind[i], rows.stage[i], rows.worker[i]]
      const { status, since, leaving } = counts
      const there = (is: number) => [...status.keys()].filter((w) => status[w] === is && counts.stage[w] === stage && leaving[w] === 0)
      if (kind === HIRED) {
        met.hired++
        expect(worker, `seed ${seed}, row ${i}`).toBe(status.indexOf(ABSENT))
      }
      if (kind === DISMISSED) {
        const idle = there(IDLE).sort((a, b) => since[a] - since[b] || b - a)
        expect(worker, `seed ${seed}, row ${i}`).toBe(idle[0] ?? there(BUSY).at(-1))
        if (idle.length === 0) met.busy++
        else if (idle.length > 1) met[since[idle[0]] === since[idle[1]] ? 'equal' : 'longer']++
      }
      countRow(trace.topology, counts, rows, i)
    })
  }
  for (const [what, times] of Object.entries(met)) expect(times, what).toBeGreaterThan(10)
})
