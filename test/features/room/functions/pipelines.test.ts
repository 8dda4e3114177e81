import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { room } from '../../../../src/features/room/functions/room.ts'
import { Pipeline } from '../../../../src/features/runner/pipeline.ts'
import type { PipelineOptions } from '../../../../src/features/runner/settings.ts'
import { joinToken, type RoomHere, roomHere } from '../broker/roomHere.ts'
import { lendersHere } from './lenders.ts'

const lenders = await lendersHere()
let here: RoomHere
let link = ''
let open: Pipeline | null = null

beforeAll(async () => {
  here = await roomHere()
  link = `${here.page}join.html#room=R.${joinToken}`
})
afterEach(async () => {
  await open?.close()
  open = null
})
afterAll(async () => {
  await lenders.end()
  await here.end()
})

function pipelineOf(stages: PipelineOptions['stages'], more: Partial<PipelineOptions> = {}): Pipeline {
  open = new Pipeline({ threads: room(link), stages, workers: 6, ...more })
  return open
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

test('three lenders, one killed in mid-run: 1,000 inputs come out once, in order', async () => {
  const children = await Promise.all(['a', 'b', 'c'].map((name) => lenders.lend(link, { name })))
  const pipeline = pipelineOf(['first', 'second', 'third'])
  const ends: string[] = []
  pipeline.addEventListener('threadEnd', (event) => ends.push((event as CustomEvent<{ reason: string }>).detail.reason))
  const results: unknown[] = []
  for await (const result of pipeline.run(numbers(1000))) {
    results.push(result)
    if (results.length === 300) children[1].kill('SIGKILL')
  }
  expect(results).toEqual(numbers(1000).map((n) => `n${(n + 1) * 2}`))
  expect(ends).toEqual(['the device “b” has left the room', 'the device “b” has left the room'])
}, 60_000)
