import { describe, expect, test } from 'vitest'
import { setPolicy } from '../../../src/scenario/edit/edits.ts'
import { hires, isPinned } from '../../../src/scenario/model/defaults.ts'
import {
  askable,
  kindName,
  policies,
  policyGroups,
  policyKinds,
  policyName,
  startingParams,
} from '../../../src/scenario/model/policies.ts'
import { valid } from '../../fixtures/anyScenario.ts'

describe('the table of policies', () => {
  test('marks the policies that lend no workers: those that hire, those that give each worker a stage of its own, and those under which workers carry jobs', () => {
    expect(policyKinds.filter((kind) => isPinned(kind) && !hires(kind))).toEqual([
      'onePerStage',
      'fixed',
      'single',
      'perJob',
      'greenThreads',
      'workStealing',
      'goLike',
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

  test('marks the policies that use only waiting jobs and service times, so that they can be asked without a run', () => {
    expect(askable).toEqual([
      'leastScore',
      'jefferson',
      'webster',
      'huntingtonHill',
      'adams',
      'dean',
      'hamilton',
      'power',
      'proportional',
      'longestQueue',
    ])
    for (const kind of askable) expect(policies[kind].askable).toBe(true)
  })

  test('puts every policy into a menu under one heading, the five for beginners first', () => {
    const menu = policyGroups.map(({ title, kinds }) => `${title()}: ${kinds.join(' ')}`)
    expect(menu).toEqual([
      'To begin with: leastScore onePerStage single sinkFirst fixed',
      'Apportioning policies: exhaustive jefferson webster huntingtonHill adams dean hamilton power proportional',
      'Queue policies: longestQueue backpressure',
      'Looking ahead: preallocate switchAware deadline',
      'Elastic pools: pid threshold aimd adaptive predictive',
      'Known systems: rayData hpa seda xenna flinkAutoscaler workStealing goLike morsels',
      'Fixed: perJob greenThreads byHand',
      'Custom: code',
    ])
  })

  test('gives each policy default parameters that make a valid scenario, apart from seats', () => {
    const scenario = valid({ version: 1, stages: [{ id: 'A' }, { id: 'B' }], workers: 4 })
    for (const kind of policyKinds) {
      const { policy } = valid(setPolicy(scenario, kind))
      expect(policy).toMatchObject({ kind, lend: policies[kind].lends, ...startingParams(kind) })
    }
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
