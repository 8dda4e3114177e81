import { expect, test } from 'vitest'
import { startingPoints } from '../../../../src/features/code/page/startingPoints.ts'
import { codeForManyRuns } from '../../../../src/features/code/sandbox/loadCode.ts'
import { playTrial } from '../../../../src/runs/play/trial.ts'
import { digestOf } from '../../../../src/trace/digest.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { underCode } from '../../../fixtures/scenarios.ts'

const three = (source: string) => valid(underCode(source))

const counting = `export default ({ memory, workers }) => {
  memory.n = (memory.n ?? 0) + 1
  return memory.n % 2 === 0 ? { A: workers } : { B: workers - 1, A: 1 }
}`

test('an engine that has broken off, here in brackets too deep for it, says so and decides nothing more', async () => {
  const loadCode = codeForManyRuns()
  const deep = await playTrial(three('export default () => eval("(".repeat(50000))'), { loadCode })
  expect(deep.failures[0].reason).toMatch(/^the code of the policy (needed too much memory|threw an error)/)
  const next = await playTrial(three('export default () => [1, 1]'), { loadCode })
  const fine = next.ending === 'drained'
  expect(fine || next.failures[0].reason === 'the code of the policy cannot run here').toBe(true)
})

test('runs that share a sandbox one after the other are those of sandboxes of their own, even where memory runs out', async () => {
  const hungry = 'const all = []\nexport default ({ workers }) => {\n  all.push(new Uint8Array(300000))\n  return [workers, 0]\n}'
  const loadCode = codeForManyRuns()
  for (const source of [hungry, counting, hungry, ...startingPoints().map(([, point]) => point), hungry]) {
    const [shared, alone] = [await playTrial(three(source), { loadCode }), await playTrial(three(source), {})]
    expect([digestOf(shared), shared.failures]).toEqual([digestOf(alone), alone.failures])
    expect(alone.ending).toBe(source === hungry ? 'stuck' : 'drained')
  }
})
