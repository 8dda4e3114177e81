import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutStage, withStageOn } from '../../../src/scenario/graph/graph.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import { linksOf } from '../../fixtures/scenarios.ts'

test('the weight of a removed stage is added to the stage after it, and the other links keep theirs', () => {
  const weight = fc.integer({ min: 1, max: 9 })
  fc.assert(
    fc.property(weight, weight, weight, fc.boolean(), (B, C, E, besides) => {
      // E leads only to B. So without B its feeders must be linked to C, to which A already leads if `besides`.
      const route: Readonly<Record<string, number>> = besides ? { B, C, E } : { B, E }
      const links = linksOf(`source>A A>B${besides ? ' A>C' : ''} A>E B>C C>sink E>B`)
      const { stages } = valid({
        version: 1,
        stages: [{ id: 'A', fanOut: { route } }, { id: 'B' }, { id: 'C' }, { id: 'E' }],
        links,
        workers: 1,
      })
      const [first, ...rest] = withoutStage({ stages, links }, 'B').stages
      expect(first.fanOut).toEqual({ route: { C: besides ? B + C : B, E } })
      expect(rest.map(({ id }) => id)).toEqual(['C', 'E'])
    }),
  )
})

test('a stage that is put on a link gets the weight of that link, and passes all of it on', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), (B, C) => {
      const links = linksOf('source>A A>B A>C B>sink C>sink')
      const { stages } = valid({
        version: 1,
        stages: [{ id: 'A', fanOut: { route: { B, C } } }, { id: 'B' }, { id: 'C' }],
        links,
        workers: 1,
      })
      const wired = withStageOn({ stages, links }, ['A', 'B'], { ...stages[1], id: 'new' })
      expect(wired.stages.map(({ id, fanOut }) => [id, fanOut])).toEqual([
        ['A', { route: { new: B, C } }],
        ['B', 'copy'],
        ['C', 'copy'],
        ['new', 'copy'],
      ])
      expect(wired.links).toContainEqual(['new', 'B'])
    }),
  )
})
