import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { kernelNames } from '../../src/scenario/model/scenario.ts'
import { seededScenario } from '../fixtures/seededScenarios.ts'
import { laterDigests, playedDigests, RUNS } from './digestList.ts'

test.each([
  ['digests.json', playedDigests],
  ['later-digests.json', laterDigests],
])('the scenarios of %s give the same runs as ever, digit for digit', async (name, play) => {
  const file = new URL(`../golden/${name}`, import.meta.url)
  const digests = await play()
  // To accept an intended change of runs: UPDATE_DIGESTS=1 npx vitest run test/trace/digests
  if (process.env.UPDATE_DIGESTS === '1') writeFileSync(file, `${JSON.stringify(digests, null, 2)}\n`)
  expect(digests).toEqual(JSON.parse(readFileSync(file, 'utf8')))
})

test('the list contains every kind of source, service, policy, discipline and ending', async () => {
  const scenarios = Array.from({ length: RUNS }, (_, k) => seededScenario(k))
  const kinds = (all: readonly { readonly kind: string }[]) => new Set(all.map(({ kind }) => kind)).size
  expect(kinds(scenarios.map(({ source }) => source))).toBe(10)
  expect(kinds(scenarios.flatMap(({ stages }) => stages.map(({ service }) => service)))).toBe(8)
  expect(kinds(scenarios.map(({ policy }) => policy))).toBe(6)
  expect(kinds(scenarios.map(({ estimator }) => estimator))).toBe(3)
  expect(new Set(scenarios.flatMap(({ stages }) => stages.map(({ discipline }) => discipline))).size).toBe(3)
  // Kernels take real time, so their runs have no digests.
  expect(
    scenarios.some(({ stages }) => stages.some(({ work }) => (kernelNames as readonly unknown[]).includes(work))),
  ).toBe(false)
})
