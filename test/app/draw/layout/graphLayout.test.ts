import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arrangeGraph } from '../../../../src/app/draw/layout/graphLayout.ts'
import { graphLayers } from '../../../../src/app/draw/layout/layered.ts'
import { drawnOrder } from '../../../../src/app/draw/layout/layout.ts'
import { flattened, linkCurve } from '../../../../src/app/draw/layout/linkCurve.ts'
import { type Arrangement, aligned, type Box, CARD, overlap } from '../../../../src/app/draw/layout/places.ts'
import { stageDefaults } from '../../../../src/scenario/model/defaults.ts'
import type { Link } from '../../../../src/scenario/model/scenario.ts'
import { createChance } from '../../../fixtures/chance.ts'
import { repeats } from '../../../fixtures/extent.ts'
import { graphOver } from '../../../fixtures/graphs.ts'

const desk = { width: 1068, height: 300 }
const links = (text: string) => text.split(' ').map((each) => each.split('>') as unknown as Link)
const placed = (ids: readonly string[]) => ids.map((id) => ({ id, position: null }))

/** The cards that a link crosses without belonging to them. */
function struck({ boxes, flow, via }: Arrangement, drawn: readonly Link[]): string[] {
  return drawn.flatMap(([from, to]) => {
    const [a, b] = [boxes.get(from), boxes.get(to)]
    if (a === undefined || b === undefined) throw new Error('an end stands nowhere')
    const points = flattened(linkCurve(a, b, flow, via.get(`${from} ${to}`)))
    return [...boxes].flatMap(([id, box]) =>
      id !== from &&
      id !== to &&
      points.some(({ x, y }) => x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height)
        ? [`${from}>${to} strikes ${id}`]
        : [],
    )
  })
}

describe('a graph', () => {
  test('stands in layers, each stage behind the last that feeds it', () => {
    const { layers } = graphLayers(['A', 'B', 'C', 'D'], links('source>A A>B A>C B>D C>D D>sink'))
    expect(layers).toEqual([['source'], ['A'], ['B', 'C'], ['D'], ['sink']])
  })

  test('never puts a card on another or a link through one, for any graph', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 31 }),
        fc.integer({ min: 2, max: 24 }),
        fc.boolean(),
        (seed, count, narrow) => {
          const stages = Array.from({ length: count }, (_, i) => ({ ...stageDefaults, id: `s${i}`, name: `s${i}` }))
          const draft = graphOver(stages, createChance(seed))
          const ids = draft.stages.map(({ id }) => id)
          const arrangement = arrangeGraph(
            placed(drawnOrder(ids, draft.links)),
            draft.links,
            narrow ? { width: 362, height: 900 } : desk,
          )
          const all = [...arrangement.boxes]
          expect(
            all.flatMap(([id, box], i) =>
              all.slice(i + 1).flatMap(([other, place]) => (overlap(box, place) ? [`${id} on ${other}`] : [])),
            ),
          ).toEqual([])
          expect(struck(arrangement, draft.links)).toEqual([])
        },
      ),
      { numRuns: repeats(200) },
    )
  })

  test('runs from top to bottom if that shows it clearly larger', () => {
    const wide = links('source>A A>B A>C A>D B>sink C>sink D>sink')
    expect(arrangeGraph(placed(['A', 'B', 'C', 'D']), wide, desk).flow).toBe('right')
    expect(
      arrangeGraph(placed(['A', 'B', 'C', 'D']), links('source>A A>B A>C B>D C>D D>sink'), { width: 420, height: 1000 })
        .flow,
    ).toBe('down')
  })

  test('has low cards only where full ones would be hard to read', () => {
    const fork = links('source>A A>B A>C B>D C>D D>sink')
    const height = (room: typeof desk) => arrangeGraph(placed(['A', 'B', 'C', 'D']), fork, room).boxes.get('A')?.height
    expect([height({ width: 1068, height: 420 }), height({ width: 1068, height: 240 })]).toEqual([164, 114])
  })

  test('a comb of 256 stages is laid out with its spine nearly straight', () => {
    const comb = Array.from(
      { length: 128 },
      (_, i) => `${i === 0 ? 'source' : `s${i - 1}`}>s${i} s${i}>t${i} t${i}>sink`,
    ).join(' ')
    const ids = Array.from({ length: 256 }, (_, i) => (i < 128 ? `s${i}` : `t${i - 128}`))
    const { boxes } = arrangeGraph(placed(drawnOrder(ids, links(comb))), links(comb), desk)
    expect(Math.abs((boxes.get('s0')?.y ?? 0) - (boxes.get('s60')?.y ?? 1e9))).toBeLessThan(CARD.height)
  })
})

describe('a graph in which stages were placed', () => {
  test('keeps their places, and its links go around cards in the way', () => {
    const drawn = links('source>A A>B B>C A>C C>sink')
    const line = ['A', 'B', 'C'].map((id, i) => ({ id, position: { x: 260 * i, y: 0 } }))
    const arrangement = arrangeGraph(line, drawn, desk)
    expect(arrangement.boxes.get('B')).toMatchObject({ x: 260, y: 0 })
    expect(struck(arrangement, drawn)).toEqual([])
    expect([...arrangement.via.keys()]).toEqual(['A C'])
  })
})

describe('what is drawn', () => {
  test('has an order in which each stage comes after those that feed it, even without links from the source', () => {
    expect(drawnOrder(['C', 'B', 'A'], links('A>B B>C'))).toEqual(['A', 'B', 'C'])
    expect(drawnOrder(['A', 'B', 'C'], links('source>C A>B B>A'))).toEqual(['C', 'A', 'B'])
  })
})

describe('stages that are aligned', () => {
  const boxes = new Map<string, Box>([
    ['A', { x: 0, y: 0, ...CARD }],
    ['B', { x: 40, y: 90, ...CARD }],
    ['C', { x: 1000, y: 30, ...CARD }],
  ])

  test('have one height and equal distances, in their order before', () => {
    expect([...aligned(boxes, ['C', 'A', 'B'], 'row')]).toEqual([
      ['A', { x: 0, y: 40 }],
      ['B', { x: 500, y: 40 }],
      ['C', { x: 1000, y: 40 }],
    ])
  })
})
