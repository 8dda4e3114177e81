import { expect, test } from 'vitest'
import { replay } from '../../../src/runs/study/replay.ts'
import { rowsOf, scenarioOf } from '../threads/heard.ts'
import { MadeUpRoom } from './madeUpRoom.ts'

const stage = (id: string, mean: number) => ({ id, work: 'wait', service: { kind: 'constant', mean } })
const three = (jobs: number, workers: number, more: object = {}) =>
  scenarioOf({ source: { kind: 'batch', jobs }, stages: [stage('A', 5000), stage('B', 9000), stage('C', 7000)], workers, ...more })

test('three devices of two threads serve every job once', async () => {
  const room = new MadeUpRoom()
  for (const name of ['a', 'b', 'c']) room.join(name, 2)
  const { trace, endings, failures } = await room.play(three(60, 6))
  expect(endings).toEqual(['drained'])
  expect(failures).toEqual([])
  expect(rowsOf(trace, 'finished')).toHaveLength(180)
  expect(rowsOf(trace, 'lost')).toEqual([])
  expect(replay(trace).difference).toBeNull()
})
