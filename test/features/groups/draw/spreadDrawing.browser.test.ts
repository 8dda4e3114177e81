import { afterEach, expect, test } from 'vitest'
import { groupColour, mountSpread } from '../../../../src/features/groups/draw/spreadDrawing.ts'
import type { SpreadScene } from '../../../../src/features/groups/draw/spreadLayout.ts'
import { spreadAt, spreadingOf } from '../../../../src/features/groups/measure/spreading.ts'
import { defaultPalette } from '../../../../src/views/drawing/palette.ts'

const palette = defaultPalette('light')
const spreading = spreadingOf({ kind: 'groups', groups: [3, 1, 3, 2], order: 'spread', feeders: 2, window: 1 }, 1)

function sceneAt(emitted: number): SpreadScene {
  if (spreading === null) throw new Error('a source of groups has a spreading')
  const held = emitted > 2 ? [{ group: 0, stage: 0, serving: [1], waiting: [2] }] : []
  return {
    spreading,
    state: spreadAt(spreading, emitted),
    markOf: (job) => (job < emitted ? 'given' : 'coming'),
    held,
    front: null,
    place: 'At A',
    workers: 2,
  }
}

afterEach(() => document.body.replaceChildren())

test('a drawing of spread jobs follows the playhead in both directions, writes only changes, and cleans up', () => {
  const host = document.createElement('div')
  host.style.width = '290px'
  document.body.append(host)
  const drawing = mountSpread(host)
  const draw = (emitted: number) =>
    drawing.update({ palette, scene: sceneAt(emitted), description: `after ${emitted}` })
  const seen = () =>
    [...host.querySelectorAll<SVGElement>('[data-part]')]
      .filter((each) => (each.closest('g[display="none"]') ?? null) === null)
      .map(({ dataset }) => `${dataset.part} ${dataset.look ?? ''} ${dataset.group ?? ''}`)
  draw(1)
  const first = seen()
  expect(first.filter((each) => each.startsWith('feeder'))).toEqual(['feeder full 0', 'feeder full 1'])
  expect(host.querySelector('[data-part="feeder"] rect')?.getAttribute('fill')).toBe(groupColour(palette, 0).fill)
  draw(5)
  expect(seen()).not.toEqual(first)
  expect(seen().filter((each) => each.startsWith('waiter'))).toHaveLength(1)
  draw(1)
  expect(seen()).toEqual(first)
  const observer = new MutationObserver(() => {})
  observer.observe(host, { subtree: true, childList: true, attributes: true, characterData: true })
  draw(1)
  expect(observer.takeRecords()).toEqual([])
  drawing.destroy()
  expect(host.childElementCount).toBe(0)
})
