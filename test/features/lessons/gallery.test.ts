import { describe, expect, test } from 'vitest'
import { ladders } from '../../../src/features/lessons/content/lessons.ts'
import { glimpseShapes } from '../../../src/features/lessons/page/GalleryDialog.tsx'
import { playGlimpse } from '../../../src/features/lessons/studies.ts'
import { presetOf, presets } from '../../../src/scenario/presets/presets.ts'

const rungs = Object.values(ladders).flat()

test('the gallery has every preset once, except the one that needs a file', () => {
  expect([...rungs].sort()).toEqual(
    presets
      .filter(({ scenario }) => scenario.source.kind !== 'lines')
      .map(({ key }) => key)
      .sort(),
  )
  expect(rungs.length).toBeGreaterThanOrEqual(16)
})

describe('a glimpse of a run', () => {
  test('shows the stacked queues, and below them the stage of each worker', async () => {
    const { queues, seats } = await playGlimpse(presetOf('worked-example')!.scenario, 3)
    expect(queues).toEqual([
      [1, 0, 0],
      [0, 1, 0],
    ])
    expect(seats).toEqual([
      [2, 1, 0],
      [0, 1, 2],
    ])
    expect(glimpseShapes(queues, seats, 30, 24)).toEqual([
      {
        stage: 0,
        part: 'queue',
        d: 'M0,0L10,0L10,14L20,14L20,14L30,14L30,14L30,14L30,14L20,14L20,14L10,14L10,14L0,14Z',
      },
      { stage: 1, part: 'queue', d: 'M0,0L10,0L10,0L20,0L20,14L30,14L30,14L30,14L30,14L20,14L20,14L10,14L10,0L0,0Z' },
      {
        stage: 0,
        part: 'seats',
        d: 'M0,18L10,18L10,21L20,21L20,24L30,24L30,24L30,24L30,24L20,24L20,24L10,24L10,24L0,24Z',
      },
      {
        stage: 1,
        part: 'seats',
        d: 'M0,18L10,18L10,18L20,18L20,18L30,18L30,18L30,24L30,24L20,24L20,21L10,21L10,18L0,18Z',
      },
    ])
  })

  test('omits stages that never have waiting jobs or workers', () => {
    expect(glimpseShapes([[0, 0]], [[1, 1]], 20, 24).map(({ part }) => part)).toEqual(['seats'])
    expect(glimpseShapes([[0], [0]], [[0], [0]], 20, 24)).toEqual([])
  })
})
