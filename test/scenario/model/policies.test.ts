import { describe, expect, test } from 'vitest'
import { setPolicy } from '../../../src/scenario/edit/edits.ts'
import { hires, isPinned } from '../../../src/scenario/model/defaults.ts'
import { MAX_WORKERS } from '../../../src/scenario/model/limits.ts'
import { askable, kindName, paramsOf, policies, policyGroups, policyKinds, policyName, startingParams } from '../../../src/scenario/model/policies.ts'
import { valid } from '../../fixtures/anyScenario.ts'

const params = policyKinds.flatMap((kind) => paramsOf(kind).map(([key, param]) => [`${kind}.${key}`, param] as const))

describe('the table of policies', () => {
  test('has for each policy a name and a number in links that no other has', () => {
    for (const of of ['name', 'link'] as const)
      expect(new Set(policyKinds.map((kind) => String(of === 'name' ? policies[kind].name() : policies[kind].link))).size).toBe(policyKinds.length)
    for (const kind of policyKinds) expect(policies[kind].name()).toMatch(/^[A-Z][\w ,-]{2,}$/)
  })

  test('says which policies lend no workers: those that hire, and those that give each worker a stage of its own', () => {
    expect(policyKinds.filter((kind) => isPinned(kind) && !hires(kind))).toEqual(['onePerStage', 'fixed', 'single', 'greenThreads'])
    expect(policyKinds.filter(hires)).toEqual(['pid', 'threshold', 'aimd', 'adaptive', 'predictive'])
    expect(policyKinds.filter(hires).every(isPinned)).toBe(true)
  })

  test('says which policies look at waiting jobs and service times only, so that they can be asked without a run', () => {
    expect(askable).toEqual(['leastScore', 'jefferson', 'webster', 'huntingtonHill', 'adams', 'dean', 'hamilton', 'power', 'proportional', 'longestQueue'])
    for (const kind of askable) expect(policies[kind].askable).toBe(true)
  })

  test('puts every policy into a menu under one heading, those by hand behind the fixed ones', () => {
    const menu = policyGroups.map(({ title, kinds }) => `${title()}: ${kinds.join(' ')}`)
    expect(menu).toEqual([
      'Apportioning policies: leastScore exhaustive jefferson webster huntingtonHill adams dean hamilton power proportional',
      'Queue policies: longestQueue backpressure sinkFirst',
      'Looking ahead: preallocate switchAware deadline',
      'Elastic pools: pid threshold aimd adaptive predictive',
      'Fixed: onePerStage fixed byHand single greenThreads',
      'Of your own: code',
    ])
  })

  test.each(params)('has a label, a hint and a unit in words for a form: %s', (_, param) => {
    const words = ['label', 'hint', 'unit', 'meaning'].flatMap((key) => (key in param ? [(param as unknown as Record<string, () => string>)[key]()] : []))
    for (const each of words) expect(each).toMatch(/\w/)
    expect('label' in param || param.is === 'allocation' || param.is === 'allocations').toBe(true)
  })

  test.each(params)('lets a form begin within its bounds: %s', (_, param) => {
    if (param.is !== 'whole' && param.is !== 'real' && param.is !== 'micros') return
    const most = typeof param.most === 'number' ? param.most : Number.POSITIVE_INFINITY
    for (const begin of [param.start, param.byDefault])
      if (typeof begin === 'number') expect(begin >= param.least && begin <= most).toBe(true)
      else if (begin === null) expect(param.orNone).toBe(true)
    expect(param.start ?? param.byDefault).not.toBeUndefined()
    if (param.slider === undefined) return
    const [from, to] = param.slider.map((end) => (end === 'workers' ? MAX_WORKERS : end))
    expect([from >= param.least, from < to, to <= most]).toEqual([true, true, true])
  })

  test('gives each policy parameters to begin with that make a scenario, seats aside', () => {
    const scenario = valid({ version: 1, stages: [{ id: 'A' }, { id: 'B' }], workers: 4 })
    for (const kind of policyKinds) {
      const { policy } = valid(setPolicy(scenario, kind))
      expect(policy).toMatchObject({ kind, lend: policies[kind].lends, ...startingParams(kind) })
    }
  })
})

describe('a policy in code', () => {
  const code = { kind: 'code', source: 'export default () => ({})' } as const

  test('is called what its author calls it, else as the table does; the others beside it keep their names', () => {
    const own = { ...code, name: ' Mine ' }
    expect([policyName(own), kindName('code', own), kindName('dean', own)]).toEqual(['Mine', 'Mine', 'Dean'])
    expect(policyName({ ...code, name: '  ' })).toBe('Your own code')
    expect(policyName({ kind: 'webster' })).toBe('Webster')
  })
})
