import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createSimulatedRun } from '../../../src/engine/simulation/simulatedRun.ts'
import { createTrace } from '../../../src/trace/trace.ts'
import { lineOf } from '../../bench/scenarios.ts'

setFlagsFromString('--allow-natives-syntax')
const haveSameMap = runInNewContext('(a, b) => %HaveSameMap(a, b)') as (a: object, b: object) => boolean

const runs = Array.from({ length: 50 }, (_, seed) => {
  const scenario = lineOf({
    jobs: 5,
    seed,
    workers: 2 + (seed % 3),
    services: [{ kind: 'constant', mean: 1000 }],
    rate: seed % 2 === 0 ? null : 900,
  })
  return {
    scenario,
    run: createSimulatedRun(scenario, { journal() {}, failure() {}, ended() {} }),
    trace: createTrace(scenario, 'simulation', 0),
  }
})

// If each run had a hidden class of its own, V8 would look every property up by name, which makes studies of small runs slow.
test.each<[string, (played: (typeof runs)[number]) => object]>([
  ['scenario', ({ scenario }) => scenario],
  ['stage', ({ scenario }) => scenario.stages[0]],
  ['run', ({ run }) => run],
  ['core', ({ run }) => run.core],
  ['state', ({ run }) => run.core.state],
  ['counts', ({ run }) => run.core.state.counts],
  ['topology', ({ run }) => run.core.state.topology],
  ['trace', ({ trace }) => trace],
])('fifty runs share one hidden class of their %s', (_, part) => {
  const first = part(runs[0])
  expect(runs.filter((played) => !haveSameMap(first, part(played)))).toHaveLength(0)
})
