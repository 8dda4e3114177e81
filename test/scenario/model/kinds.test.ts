import { describe, expect, test } from 'vitest'
import { distributions } from '../../../src/scenario/model/distributions.ts'
import { MAX_WORKERS } from '../../../src/scenario/model/limits.ts'
import { type Kinds, linkOrder, paramsIn } from '../../../src/scenario/model/params.ts'
import { policies } from '../../../src/scenario/model/policies.ts'
import { sources } from '../../../src/scenario/model/sources.ts'
import { gonePolicies } from '../../../src/scenario/parse/gone.ts'

/** The numbers of policies that are gone stay taken. */
const tables: Readonly<Record<string, Kinds>> = { policies: { ...policies, ...gonePolicies }, distributions, sources }

describe.each(Object.entries(tables))('the table of %s', (_, table) => {
  const kinds = Object.values(table)
  const params = Object.entries(table).flatMap(([kind, row]) =>
    paramsIn(row).map(([key, param]) => [`${kind}.${key}`, param] as const),
  )

  test('has a unique name and a unique number in links for each kind', () => {
    expect(new Set(kinds.map(({ name }) => name())).size).toBe(kinds.length)
    expect(linkOrder(table).map((kind) => table[kind].link)).toEqual(kinds.map((_, i) => i))
    for (const { name } of kinds) expect(name()).toMatch(/^[A-Z][\w ,-]{2,}$/)
  })

  test.each(params)('says in words what %s means, and what a form calls it', (_, param) => {
    const words = [param.label, param.hint, 'unit' in param ? param.unit : undefined]
    for (const each of words) if (each !== undefined) expect(each()).toMatch(/\w/)
  })

  test.each(params)('lets a form begin within the bounds of %s', (_, param) => {
    if (param.is !== 'whole' && param.is !== 'real' && param.is !== 'micros') return
    const max = typeof param.max === 'number' ? param.max : Number.POSITIVE_INFINITY
    for (const begin of [param.start, param.byDefault])
      if (typeof begin === 'number') expect(begin >= param.min && begin <= max).toBe(true)
      else if (begin === null) expect(param.orNone).toBe(true)
    if (param.slider === undefined) return
    const [from, to] = param.slider
    const end = to === 'workers' ? MAX_WORKERS : to
    expect([from >= param.min, from < end, end <= max]).toEqual([true, true, true])
  })
})
