import { describe, expect, test } from 'vitest'
import { startingPoints } from '../../../../src/features/code/page/startingPoints.ts'

interface Stage {
  readonly waiting: number
  readonly mean: number
  readonly busy?: number
  readonly done?: boolean
}

/** The code of a template as a function of workers and stages, with one memory. */
async function allocator(name: string) {
  const [, code] = startingPoints().find(([each]) => each === name) ?? expect.fail(name)
  const { default: allocate } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  const memory = {}
  return (workers: number, stages: readonly Stage[]): readonly number[] =>
    allocate({ workers, memory, stages: stages.map((stage, s) => ({ id: 'ABCD'[s], busy: 0, done: false, ...stage })) })
}

const [much, some, little] = [
  { waiting: 6, mean: 10 },
  { waiting: 4, mean: 10 },
  { waiting: 1, mean: 10 },
]
const none = { waiting: 0, mean: 10 }
const over = { waiting: 0, mean: 10, done: true }

describe('a template of code gives', () => {
  test.each<[string, string, number, readonly Stage[], readonly number[]]>([
    ['Jefferson', 'workers where most work waits for each worker', 5, [much, some, little], [3, 2, 0]],
    ['Jefferson', 'more where a job takes longer', 5, [{ waiting: 4, mean: 30 }, some], [4, 1]],
    [
      'Jefferson',
      'none to a stage that is done, even if nothing waits at the others',
      3,
      [over, none, none],
      [0, 3, 0],
    ],
    ['Least total time', 'workers where they save the most waiting time', 5, [much, some, little], [3, 2, 0]],
    [
      'Least total time',
      'the second one elsewhere where Jefferson does not',
      2,
      [
        { waiting: 6, mean: 10 },
        { waiting: 2, mean: 14 },
      ],
      [1, 1],
    ],
    [
      'Least total time',
      'none to a stage that is done, even if nothing waits at the others',
      3,
      [over, none, none],
      [0, 3, 0],
    ],
    ['Keep one worker everywhere', 'one to each stage first', 5, [much, none, none], [3, 1, 1]],
    ['Keep one worker everywhere', 'the first stages theirs where there are too few', 2, [none, none, much], [1, 1, 0]],
    ['Keep one worker everywhere', 'none to a stage that is done', 4, [over, much, none], [0, 3, 1]],
    [
      'Nearest the sink first',
      'the last stages as many as they can keep busy',
      6,
      [much, { ...some, busy: 1 }, { ...none, busy: 1 }],
      [0, 5, 1],
    ],
    ['Nearest the sink first', 'the first stage what is left', 9, [much, some, little], [4, 4, 1]],
    ['Nearest the sink first', 'no more than there is work', 9, [little, little, none], [1, 1, 0]],
    ['Switch only if it pays', 'at first what the least total time gives', 5, [much, some, little], [3, 2, 0]],
  ])('%s: %s', async (name, _, workers, stages, seats) => {
    expect((await allocator(name))(workers, stages)).toEqual(seats)
  })

  test('Switch only if it pays: the same seats until a change saves a tenth, or the workers change', async () => {
    const allocate = await allocator('Switch only if it pays')
    const given = (workers: number, ...waiting: readonly number[]) =>
      allocate(
        workers,
        waiting.map((each) => ({ waiting: each, mean: 1 })),
      )
    expect(given(3, 20, 40)).toEqual([1, 2])
    // A little less time with the seats the other way round, and then much less.
    expect(given(3, 36, 30)).toEqual([1, 2])
    expect(given(3, 60, 20)).toEqual([2, 1])
    expect(given(3, 30, 32)).toEqual([2, 1])
    expect([given(4, 36, 30), given(3, 36, 30)]).toEqual([
      [2, 2],
      [2, 1],
    ])
  })
})
