import { afterEach, expect, test } from 'vitest'
import { mountShardGrid } from '../../../../src/features/order/draw/shardGrid.ts'
import type { StageShards } from '../../../../src/features/order/measure/shards.ts'
import { defaultPalette, stageColour } from '../../../../src/views/drawing/palette.ts'

const palette = defaultPalette('light')
const names = ['Parse', 'Write']
const shards: readonly StageShards[] = [
  {
    turns: [
      { ticket: 4, state: 'served', where: [{ at: 'hands', stage: 0, worker: 2 }], held: null },
      { ticket: 7, state: 'coming', where: [{ at: 'coming' }], held: null },
    ],
    maxShards: 2,
    wanted: 2,
    behind: 0,
  },
  {
    turns: [
      { ticket: 4, state: 'missing', where: [{ at: 'hands', stage: 0, worker: 2 }], held: -1 },
      { ticket: 5, state: 'here', where: [{ at: 'waiting', stage: 1 }], held: 3 },
    ],
    maxShards: 2,
    wanted: 2,
    behind: 9,
  },
]

function mounted() {
  const host = document.createElement('div')
  host.style.width = '300px'
  document.body.append(host)
  mountShardGrid(host).update({ palette, names, shards })
  return host
}

afterEach(() => document.body.replaceChildren())

/** The topmost colour at a point of the grid. */
function at(host: HTMLElement, x: number, y: number): (string | null | undefined)[] {
  const { left, top } = host.getBoundingClientRect()
  const found = document.elementFromPoint(left + x, top + y)
  return [found?.getAttribute('fill'), found?.getAttribute('stroke')]
}

test('shards show which worker serves which ticket, missing tickets in the colour of their stage, and finished tickets that wait', () => {
  const host = mounted()
  const [parse, write] = [stageColour(palette, 0), stageColour(palette, 1)]
  expect(at(host, 8, 40)).toEqual([parse.fill, parse.fill])
  expect(at(host, 150, 40)).toEqual([palette.bed, palette.rule])
  expect(at(host, 8, 104)).toEqual([palette.bed, parse.fill])
  expect(at(host, 150, 104)).toEqual([write.wash, write.fill])
  const corners = [...host.querySelectorAll('rect[width="8"]')].map((rect) => rect.getAttribute('fill'))
  expect(corners).toEqual([palette.panel, palette.ink])
  expect(
    [...host.querySelectorAll('text')].map(({ textContent }) => textContent).filter((text) => text !== ''),
  ).toEqual([...['Parse', '4', 'worker 3'], ...['Write', '9 wait behind', '4', 'at Parse', '5', 'is here']])
  expect(host.querySelector('svg')?.getAttribute('aria-label')).toBe(
    'Parse, 2 shards: served: 4. Write, 2 shards: served: –, 9 wait behind',
  )
})
