import { expect, test } from 'vitest'
import { startPlays } from '../../../src/runs/remote/remoteCompare.ts'
import { type Compared, playCompared, underPolicy } from '../../../src/runs/study/compare.ts'
import type { PolicyKind, Scenario } from '../../../src/scenario/model/scenario.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { digestOf } from '../../../src/trace/digest.ts'
import { append, createTrace } from '../../../src/trace/trace.ts'

function scenario(jobs: number, kind: PolicyKind): Scenario {
  const parsed = parse({
    version: 1,
    source: { kind: 'batch', jobs },
    stages: [{ id: 'A', service: { kind: 'exponential', mean: 3000 } }, { id: 'B', service: { kind: 'exponential', mean: 1000 } }, { id: 'C' }],
    workers: 4,
  })
  const asked = 'scenario' in parsed ? underPolicy(parsed.scenario, kind) : parsed
  if ('problems' in asked) throw new Error(asked.problems[0].message)
  return asked.scenario
}

const digest = (asked: Scenario, { journals }: Compared): string => {
  const trace = createTrace(asked, 'simulation', 0)
  for (const journal of journals ?? []) append(trace, journal)
  return digestOf(trace)
}

test('policies played on threads are those played here, figures, rows and all, and the first of the list is there first', async () => {
  const kinds: PolicyKind[] = ['leastScore', 'single', 'jefferson', 'backpressure', 'threshold']
  const plays = kinds.map((kind) => ({ scenario: scenario(3000, kind), record: kind !== 'single' }))
  const answers: [number, Compared][] = []
  const shares: number[] = []
  const { finished } = startPlays(plays, { answer: (k, compared) => answers.push([k, compared]), progress: (share) => shares.push(share) })
  expect(await finished).toBe(true)
  expect(answers.map(([k]) => k).sort()).toEqual([0, 1, 2, 3, 4])
  for (const [k, compared] of answers) {
    const here = await playCompared(plays[k].scenario, plays[k].record)
    expect({ ...compared, journals: null }).toEqual({ ...here, journals: null })
    expect(compared.journals === null).toBe(k === 1)
    expect(digest(plays[k].scenario, compared)).toBe(digest(plays[k].scenario, here))
  }
  expect(shares.at(-1)).toBe(1)
  expect(shares.every((share, k) => k === 0 || share >= shares[k - 1])).toBe(true)
})

test('what is stopped tells nothing any more, and says that it was not all', async () => {
  let heard = 0
  const handle = startPlays(
    Array.from({ length: 6 }, () => ({ scenario: scenario(300_000, 'leastScore'), record: true })),
    { answer: () => heard++, progress: () => heard++ },
  )
  await expect.poll(() => heard, { timeout: 20_000 }).toBeGreaterThan(0)
  handle.stop()
  expect(await handle.finished).toBe(false)
  const before = heard
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(heard).toBe(before)
})
