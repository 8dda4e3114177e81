import { describe, expect, test } from 'vitest'
import { setPolicy } from '../../../src/scenario/edit/edits.ts'
import { hires, isPinned } from '../../../src/scenario/model/defaults.ts'
import { isMethod, menuKinds, menuName } from '../../../src/scenario/model/methods.ts'
import { kindName, policies, policyKinds, policyName, startingParams } from '../../../src/scenario/model/policies.ts'
import { valid } from '../../fixtures/anyScenario.ts'

describe('the table of policies', () => {
  test('marks the policies that lend no workers: those that hire, those that give each worker a stage of its own, and those under which workers carry jobs', () => {
    expect(policyKinds.filter((kind) => isPinned(kind) && !hires(kind))).toEqual([
      'onePerStage',
      'fixed',
      'single',
      'perJob',
      'workStealing',
    ])
    expect(policyKinds.filter(hires)).toEqual([
      'pid',
      'threshold',
      'aimd',
      'adaptive',
      'predictive',
      'rayData',
      'hpa',
      'seda',
      'xenna',
      'flinkAutoscaler',
    ])
    expect(policyKinds.filter(hires).every(isPinned)).toBe(true)
  })

  test('gives each policy default parameters that make a valid scenario, apart from seats', () => {
    const scenario = valid({ version: 1, stages: [{ id: 'A' }, { id: 'B' }], workers: 4 })
    for (const kind of policyKinds) {
      const { policy } = valid(setPolicy(scenario, kind))
      expect(policy).toMatchObject({ kind, lend: policies[kind].lends, ...startingParams(kind) })
    }
  })
})

describe('the apportionment methods', () => {
  test.each([
    [['leastScore', 'jefferson', 'webster', 'fixed'], 'fixed', ['leastScore', 'jefferson', 'fixed']],
    [['leastScore', 'jefferson', 'webster', 'fixed'], 'webster', ['leastScore', 'webster', 'fixed']],
    [['dean', 'hamilton'], 'jefferson', ['dean']],
    [['fixed'], 'jefferson', ['fixed']],
  ])('are one row of a menu: %j, chosen %s', (kinds, chosen, shown) => {
    expect(menuKinds(kinds, chosen)).toEqual(shown)
    expect(shown.map((kind) => menuName(kind, kind))).toContain(shown.some(isMethod) ? 'Apportionment' : 'fixed')
  })
})

describe('a policy in code', () => {
  const code = { kind: 'code', source: 'export default () => ({})' } as const

  test('has the name that its author gives it, otherwise the one of the table; the others keep their names', () => {
    const own = { ...code, name: ' Mine ' }
    expect([policyName(own), kindName('code', own), kindName('dean', own)]).toEqual(['Mine', 'Mine', 'Dean'])
    expect(policyName({ ...code, name: '  ' })).toBe('Your own code')
    expect(policyName({ kind: 'webster' })).toBe('Webster')
  })
})
