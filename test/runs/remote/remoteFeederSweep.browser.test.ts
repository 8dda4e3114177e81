import { expect, test } from 'vitest'
import { startFeederSweep } from '../../../src/runs/remote/remoteFeederSweep.ts'
import { emptyPoints, type FeederAnswer, feederTasks, playFeeders } from '../../../src/runs/study/feederSweep.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'

function scenario(groups: number, size: number) {
  const parsed = parse({
    version: 1,
    source: { kind: 'groups', groups: new Array<number>(groups).fill(size), order: 'spread', feeders: 2 },
    stages: [{ id: 'A', resource: 'group' }],
    workers: 3,
  })
  if ('problems' in parsed) throw new Error(parsed.problems[0].message)
  return parsed.scenario
}

test('a sweep on threads answers what is worked out here, and tells nothing after it is stopped', async () => {
  const small = scenario(4, 5)
  const answers: FeederAnswer[] = []
  const shares: number[] = []
  const { finished } = startFeederSweep(small, { answer: (answer) => answers.push(answer), progress: (share) => shares.push(share) })
  expect(await finished).toBe(true)
  expect(answers).toHaveLength(feederTasks(small).length)
  for (const { feeders, whenTaken, ...answer } of answers) expect({ feeders, whenTaken, ...answer }).toEqual(await playFeeders(small, { feeders, whenTaken }))
  expect(shares.at(-1)).toBe(1)
  expect(shares.every((share, k) => k === 0 || share >= shares[k - 1])).toBe(true)

  const long = scenario(200, 1000)
  expect(emptyPoints(long).length).toBeGreaterThan(10)
  let heard = 0
  const handle = startFeederSweep(long, { answer: () => heard++, progress: () => heard++ })
  await expect.poll(() => heard, { timeout: 20_000 }).toBeGreaterThan(0)
  handle.stop()
  expect(await handle.finished).toBe(false)
  const before = heard
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(heard).toBe(before)
})
