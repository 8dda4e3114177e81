import { expect, test } from 'vitest'
import { lossesOf, lossOf } from '../../../src/measures/frame/endingWords.ts'
import type { Failure } from '../../../src/pipeline/journal.ts'

const lost = (worker: number, reason: string): Failure => ({ time: 0, kind: 'worker', worker, reason })

test('the sentence counts the lost workers, gives the reason of the last loss, and leaves out failed jobs', () => {
  expect(lossesOf([{ time: 0, kind: 'job', worker: 1, job: 3, reason: 'no' }])).toBeNull()
  expect(lossesOf([lost(1, 'crashed')])).toBe('1 worker lost (worker 2 crashed)')
  expect(lossesOf([lost(1, 'crashed'), lost(0, 'has not answered and is given up')])).toBe(
    '2 workers lost (worker 1 has not answered and is given up)',
  )
})

test('the message of a browser about a script is kept, and cut if it is long', () => {
  expect(lossOf(lost(0, 'could not be loaded'))).toBe('worker 1 could not be loaded')
  expect(lossOf(lost(0, 'could not be loaded: Uncaught Error: a: b'))).toBe(
    'worker 1 could not be loaded: Uncaught Error: a: b',
  )
  expect(lossOf(lost(0, `odd ${'x'.repeat(1000)}`))).toHaveLength('worker 1 '.length + 90)
  expect(lossOf({ time: 0, kind: 'run', reason: 'broke' })).toBe('broke')
})
