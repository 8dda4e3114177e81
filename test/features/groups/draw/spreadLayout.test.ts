import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  perRow,
  type SpreadScene,
  spreadPicture,
  streamRows,
  type TileMark,
} from '../../../../src/features/groups/draw/spreadLayout.ts'
import { type Spreading, spreadAt, spreadingOf } from '../../../../src/features/groups/measure/spreading.ts'
import type { GroupOrder } from '../../../../src/scenario/model/sources.ts'
import { repeats } from '../../../fixtures/extent.ts'

const of = (groups: readonly number[], order: GroupOrder, feeders = 2, window = 3): Spreading => {
  const spreading = spreadingOf({ kind: 'groups', groups, order, feeders, window }, 1)
  if (spreading === null) throw new Error('a source of groups has a spreading')
  return spreading
}
const sceneAt = (spreading: Spreading, emitted: number, more: Partial<SpreadScene> = {}): SpreadScene => ({
  spreading,
  state: spreadAt(spreading, emitted, 60),
  markOf: (job) => (job < emitted ? 'given' : 'coming'),
  held: [],
  front: null,
  place: 'At Write',
  workers: 8,
  ...more,
})
const parts = (tiles: readonly TileMark[], part: TileMark['part']) => tiles.filter((tile) => tile.part === part)

describe('the drawing of spread jobs', () => {
  const spreading = of([3, 1, 3, 2], 'spread')

  test('shows the next groups as stacks, one tile per feeder, and the round with its emitted jobs', () => {
    const { tiles, texts, pointer } = spreadPicture(sceneAt(spreading, 1), 290)
    expect(parts(tiles, 'stack').map(({ text, depth }) => `${text}/${depth}`)).toEqual(['3/2', '4/1'])
    expect(parts(tiles, 'feeder').map(({ text, look, share }) => `${text} ${look} ${share?.toFixed(2)}`)).toEqual([
      '1 full 0.67',
      '2 full 1.00',
    ])
    expect(parts(tiles, 'round').map(({ look }) => look)).toEqual(['hollow', 'full'])
    expect(pointer).not.toBeNull()
    expect(texts.map(({ text }) => text)).toContain('2 of 4 groups to come')
  })

  test('shows the empty feeders of the scenario before the run, and the number that do not fit', () => {
    expect(
      parts(spreadPicture(sceneAt(spreading, 0), 290).tiles, 'feeder').map(({ group, look }) => `${group} ${look}`),
    ).toEqual(['-1 hollow', '-1 hollow'])
    const many = of(new Array<number>(80).fill(2), 'spread', 60)
    const { tiles, texts } = spreadPicture(sceneAt(many, 5), 290)
    const shown = parts(tiles, 'feeder').length
    expect(shown).toBe(3 * perRow(290) - 1)
    expect(texts.map(({ text }) => text)).toContain(`+${60 - shown}`)
  })

  test('names the tail and its start', () => {
    const textsAt = (emitted: number) =>
      spreadPicture(sceneAt(of([1, 4], 'spread'), emitted), 290).texts.map(({ text }) => text)
    expect(textsAt(2).join()).not.toContain('tail')
    expect(textsAt(3)).toContain('the tail: from job 3 of 5')
  })

  test('has no feeders for orders without them, but the groups whose jobs come together', () => {
    for (const [order, texts] of [
      ['asProduced', ['1']],
      ['window', ['1', '2', '3']],
      ['shuffled', ['1', '2', '3', '4']],
    ] as const) {
      const picture = spreadPicture(sceneAt(of([3, 1, 3, 2], order), 1), 290)
      expect(parts(picture.tiles, 'feeder').map(({ text }) => text)).toEqual(texts)
      expect(parts(picture.tiles, 'round')).toEqual([])
    }
  })

  test('puts waiting workers behind working ones, and says how many there are', () => {
    const held = [{ group: 2, stage: 1, serving: [4], waiting: [1, 7] }]
    const { tiles, discs, texts } = spreadPicture(sceneAt(spreading, 2, { held }), 290)
    expect(parts(tiles, 'held').map(({ text, look }) => `${text} ${look}`)).toEqual(['3 contended'])
    expect(discs.map(({ worker, waits }) => `${worker}${waits ? ' waits' : ''}`)).toEqual(['4', '1 waits', '7 waits'])
    expect(texts.map(({ text }) => text)).toContain('1 at work, 2 wait')
  })

  test('keeps its height during a run, and stays within its width', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(9), { minLength: 1, maxLength: 40 }),
        fc.constantFrom<GroupOrder>('asProduced', 'shuffled', 'window', 'spread', 'largestFirst'),
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 120, max: 500 }),
        (groups, order, feeders, width) => {
          const each = of(groups, order, feeders, 5)
          const pictures = [0, 1, Math.floor(each.jobs / 2), each.jobs]
            .filter((k) => k <= each.jobs)
            .map((k) => spreadPicture(sceneAt(each, k), width))
          expect(new Set(pictures.map(({ height }) => height)).size).toBe(1)
          for (const { tiles, height } of pictures) {
            const inside = ({ part, x, y, width: wide, height: high }: TileMark) =>
              part === 'key' || (x >= 0 && x + wide <= width && y >= 0 && y + high <= height)
            expect(tiles.every(inside)).toBe(true)
          }
        },
      ),
      { numRuns: repeats(100) },
    )
  })

  test('shows the rows of the latest jobs, or from the first job in service if it is further back', () => {
    expect(streamRows(0, null, 10)).toEqual([0, 1, 2])
    expect(streamRows(45, 44, 10)).toEqual([3, 4, 5])
    expect(streamRows(45, 30, 10)).toEqual([3, 4, 5])
    expect(streamRows(95, 12, 10)).toEqual([1, 2, 9])
  })
})
