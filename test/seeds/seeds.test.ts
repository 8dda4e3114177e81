import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isDivisorRule } from '../../src/allocation/rules.ts'
import { isPlain } from '../../src/engine/simulation/simulatedRun.ts'
import { policies, policyKinds } from '../../src/scenario/model/policies.ts'
import { inFull, repeats } from '../fixtures/extent.ts'
import { failureOf, playSeeds, report } from './many.ts'
import { mutants } from './mutants.ts'
import { pinned } from './pinned.ts'
import { draw, planOf } from './plans.ts'
import { drawForThreads } from './threadPlans.ts'

// `npm run test:all` plays 12,000 more, and `npm run -s seeds` plays any number.

test('core and conductor keep all rules in every game that once failed', async () => {
  for (const [plan] of pinned) expect((await failureOf(plan)) === null ? null : await report(plan)).toBeNull()
})

test('the first games come out as ever, row by row', async () => {
  const file = new URL('../golden/seeds.json', import.meta.url)
  const played = await playSeeds(0, repeats(1000))
  expect(played.failure).toBeNull()
  if (!inFull) return
  // To accept a change of runs or of the world: UPDATE_DIGESTS=1 APPORTION_TESTS=all npx vitest run --project node test/seeds
  if (process.env.UPDATE_DIGESTS === '1') writeFileSync(file, `${JSON.stringify(played, null, 2)}\n`)
  expect(played).toEqual(JSON.parse(readFileSync(file, 'utf8')))
})

test('the first seeds contain every divisor rule, with and without lending, for the core for plain scenarios', () => {
  const plans = Array.from({ length: 2000 }, (_, seed) => planOf(seed)).filter(({ plain }) => plain === true)
  const drawn = plans.map((plan) => draw(plan).scenario)
  expect(drawn.every(isPlain)).toBe(true)
  expect([...new Set(drawn.map(({ policy }) => `${policy.kind} ${policy.lend}`))].sort()).toEqual(
    policyKinds
      .filter((kind) => isDivisorRule(kind) && policies[kind].group !== 'ahead')
      .flatMap((kind) => [`${kind} false`, `${kind} true`])
      .sort(),
  )
})

test('the first seeds contain every policy, order, estimator, batch, discipline and kind of graph, for core and conductor', () => {
  for (const threads of [false, true]) {
    const plans = Array.from({ length: 2000 }, (_, seed) => planOf(seed)).filter(
      (plan) => (plan.threads ?? false) === threads,
    )
    const scenarios = plans.map((plan) => (threads ? drawForThreads(plan) : draw(plan).scenario))
    const stages = scenarios.flatMap((scenario) => scenario.stages)
    const seen = (values: readonly unknown[]) => [...new Set(values.map(String))].sort()
    // User code needs the sandbox, so code.test.ts plays these games.
    const kinds = Object.keys(policies).filter((kind) => kind !== 'code')
    expect(seen(scenarios.map(({ policy }) => policy.kind))).toEqual(kinds.sort())
    expect(seen(scenarios.map(({ order }) => order.kind))).toEqual(['buffer', 'none', 'shard'])
    expect(seen(scenarios.map(({ estimator }) => estimator.kind))).toEqual(['ewma', 'mean', 'window'])
    expect(seen(scenarios.map(({ batch }) => `${batch.size ?? 'adaptive'} ${batch.inHand}`))).toContain('adaptive 2')
    expect(seen(stages.map(({ discipline }) => discipline))).toEqual(['fifo', 'lifo', 'priority', 'shortest'])
    expect(seen(stages.map(({ capacity }) => capacity))).toEqual(expect.arrayContaining(['1', '10', 'null']))
    expect(seen(stages.map(({ resource, whenTaken }) => `${resource} ${whenTaken}`))).toEqual(
      expect.arrayContaining(['group skip', 'group wait']),
    )
    expect(seen(stages.map(({ join, fanOut }) => `${join} ${fanOut === 'copy' ? 'copy' : 'route'}`))).toHaveLength(4)
  }
})

test('the text of every planted bug occurs exactly once in the source', () => {
  for (const { file, text, instead } of mutants) {
    const source = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8')
    expect(source.split(text).length - 1, `${file}: ${text}`).toBe(1)
    expect(instead).not.toBe(text)
  }
  expect(mutants.length).toBeGreaterThanOrEqual(30)
  expect(mutants.filter(({ games }) => games === 'rooms').length).toBeGreaterThanOrEqual(10)
})
