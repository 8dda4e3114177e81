import { expect, test } from 'vitest'
import { playFigures } from '../../../src/runs/play/trial.ts'
import { startOrderComparison } from '../../../src/runs/remote/remoteOrderCost.ts'
import { compareOrders } from '../../../src/runs/study/orderCost.ts'
import { presetOf } from '../../../src/scenario/presets/presets.ts'

const scenario = presetOf('rush-hour')?.scenario

test('a comparison on a thread of its own is the one worked out here, and tells nothing after it is stopped', async () => {
  if (scenario === undefined) throw new Error('no such preset')
  expect(await startOrderComparison(scenario).finished).toEqual(await compareOrders(scenario, playFigures))
  const heard: number[] = []
  const long = startOrderComparison({ ...scenario, source: { kind: 'batch', jobs: 200_000 } }, (share) => heard.push(share))
  await expect.poll(() => heard.length, { timeout: 20_000 }).toBeGreaterThan(0)
  long.stop()
  expect(await long.finished).toBeNull()
  const before = heard.length
  expect(heard.at(-1)).toBeLessThan(1)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(heard.length).toBe(before)
})
