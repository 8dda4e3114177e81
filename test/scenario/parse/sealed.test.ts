import { expect, test } from 'vitest'
import { readFragment } from '../../../src/scenario/link/codec.ts'
import { goneIn } from '../../../src/scenario/parse/gone.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { readPart } from '../../../src/scenario/parse/part.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import earlier from '../../fixtures/hidden.json'

const shown = valid(earlier.scenario)
const [{ service: _, changes: __, ...cut }, sew] = earlier.scenario.stages
const { policy, ...rest } = earlier.scenario
const sealed = { ...rest, stages: [cut, sew], hidden: earlier.hidden }

test.each([
  ['short', earlier.short],
  ['JSON', earlier.json],
])('an earlier %s link that hides values opens with them, and names what is gone', (_, link) => {
  const read = readFragment(link)
  if (read.found !== 'scenario') return expect.fail(JSON.stringify(read))
  expect([read.scenario, read.problems]).toEqual([shown, []])
  expect(goneIn(read.scenario)).toEqual(['hidden values (they are shown)', 'the essay'])
})

test('a value that was hidden in its place, without a seal, stays there', () => {
  expect(valid({ ...earlier.scenario, hidden: [{ kind: 'policy' }, { kind: 'service', stage: 'A' }] })).toEqual(shown)
})

const [ofCut, ofPolicy] = earlier.hidden
test.each([
  ['is altered', { ...sealed, hidden: [{ ...ofCut, sealed: ofCut.sealed.replace(/^./, 'p') }, ofPolicy] }],
  ['is cut off', { ...sealed, hidden: [{ ...ofCut, sealed: ofCut.sealed.slice(0, -2) }, ofPolicy] }],
  [
    'is of another stage',
    { ...sealed, stages: [sew, { ...cut, id: 'C' }], hidden: [{ ...ofCut, stage: 'C' }, ofPolicy] },
  ],
  ['has no stage', { ...sealed, stages: [sew] }],
  ['stands beside its value', { ...sealed, policy }],
  ['is no object', { ...sealed, hidden: [1] }],
])('a seal that %s is refused, since another run would be played', (_, scenario) => {
  expect(parse(scenario)).toMatchObject({ problems: [{ path: expect.stringContaining('hidden') }] })
})

test('a part that was copied with a seal is pasted with its service time', () => {
  const { stages, hidden } = sealed
  expect(readPart(JSON.stringify({ stages, links: [['A', 'B']], hidden: [hidden[0]] }))).toMatchObject({
    stages: shown.stages.map(({ id, service, changes }) => ({ id, service, changes })),
  })
})
