import { describe, expect, test } from 'vitest'
import { linkProblems } from '../../../src/scenario/graph/graph.ts'
import { leavesInParts, partProblems } from '../../../src/scenario/graph/partProblems.ts'
import { linearOrder } from '../../../src/scenario/model/linearStages.ts'
import type { Link, Stage } from '../../../src/scenario/model/scenario.ts'
import { parse } from '../../../src/scenario/parse/parse.ts'
import { valid } from '../../fixtures/anyScenario.ts'
import { createChance } from '../../fixtures/chance.ts'
import { drawn, tried } from '../../fixtures/graphs.ts'
import { processorTime } from '../../fixtures/processorTime.ts'

const stages = (...ids: string[]): readonly Stage[] =>
  valid({ version: 1, workers: 1, stages: ids.map((id) => ({ id })) }).stages
const ids = (list: readonly Stage[]) => list.map(({ id }) => id)

describe('a graph', () => {
  test('is accepted if and only if no routing makes parts meet at a merge or wait forever', () => {
    const verdicts = { sound: 0, wrong: 0, inParts: 0 }
    for (let seed = 0; seed < 3000; seed++) {
      const chance = createChance(seed)
      const drawing = drawn(stages(...'ABCDEFGH'.slice(0, chance.between(1, 8))), chance)
      expect(linkProblems(ids(drawing.stages), drawing.links)).toEqual([])
      const outcome = tried(drawing)
      expect(partProblems(drawing.stages, drawing.links).length === 0, `seed ${seed} ${JSON.stringify(drawing)}`).toBe(
        outcome !== null,
      )
      if (outcome !== null)
        expect(leavesInParts(drawing.stages, drawing.links), `seed ${seed}`).toBe(outcome.atSink > 1)
      verdicts[outcome === null ? 'wrong' : 'sound']++
      if (outcome !== null && outcome.atSink > 1) verdicts.inParts++
    }
    // Enough of each, so that the test is meaningful.
    expect(Math.min(...Object.values(verdicts))).toBeGreaterThan(200)
  })

  test('of 256 stages in a comb, with too many paths to try, is checked at once', () => {
    // Each of 85 stages routes to one of two teeth, which merge in the next.
    const many = Array.from({ length: 255 }, (_, i) => `s${i}`)
    const links: Link[] = [['source', 's0']]
    const teeth = many.map((id, i) => {
      if (i % 3 !== 0) return { id, join: 'merge' }
      const [up, down, after] = [`s${i + 1}`, `s${i + 2}`, i + 3 < 255 ? `s${i + 3}` : 'sink']
      links.push([id, up], [id, down], [up, after], [down, after])
      return { id, fanOut: { route: { [up]: 1, [down]: 2 } } }
    })
    const comb = { version: 1, workers: 2, source: { kind: 'batch', jobs: 10 }, stages: teeth, links }
    const start = processorTime()
    const scenario = valid(comb)
    expect(valid(scenario)).toEqual(scenario)
    expect(linearOrder(scenario)).toHaveLength(255)
    const wrong = parse({ ...comb, stages: teeth.map((stage, i) => (i === 252 ? { ...stage, join: 'all' } : stage)) })
    expect(wrong).toMatchObject({ problems: [{ path: 'stages[252].join', stage: '"s252"' }] })
    expect(processorTime() - start).toBeLessThan(1500)
  })

  test('of any links, even with cycles, is answered and never hangs', () => {
    for (let seed = 0; seed < 300; seed++) {
      const chance = createChance(seed)
      const all = stages(...'ABCDEF')
      const ends = ['source', 'sink', ...ids(all)]
      const links = Array.from({ length: chance.between(0, 14) }, (): Link => [chance.pick(ends), chance.pick(ends)])
      const answer = parse({ version: 1, workers: 1, stages: all, links })
      if ('scenario' in answer) expect(answer.scenario.links).toHaveLength(links.length)
      else expect(answer.problems[0].path).toMatch(/^(links|stages)/)
    }
  })
})
