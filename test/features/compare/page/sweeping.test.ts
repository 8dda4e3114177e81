import { beforeEach, describe, expect, test } from 'vitest'
import { open, scenarioStore } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession, type Session } from '../../../../src/app/session/session.ts'
import { detailsOf, firstToBeatWords, sweepStudy, valueName } from '../../../../src/features/compare/page/sweeping.ts'
import { axesOf, type SweepAxis } from '../../../../src/features/compare/study/sweep.ts'
import { valid } from '../../../fixtures/anyScenario.ts'
import { threeStages } from '../../../fixtures/scenarios.ts'
import { threadsHere } from '../../../fixtures/threadsHere.ts'

const threads = threadsHere()

const three = valid({ ...threeStages, source: { kind: 'batch', jobs: 100 } })

let session: Session
const scenario = () => scenarioStore(session).getState().scenario
const sweep = () => sweepStudy(session).store.getState().found ?? expect.fail('no sweep')

async function swept(axis: SweepAxis): Promise<void> {
  await sweepStudy(session).start({ scenario: scenario(), axis })
  expect(sweepStudy(session).store.getState().phase).toBe('done')
}

/** The words at a value. */
function sentenceAt(axis: SweepAxis, value: number): string {
  const { points } = sweep()
  const column = points.findIndex((point) => point.value === value)
  return `${valueName(scenario(), axis, value)}: ${detailsOf(scenario(), axis, points, column, sweep())}`
}

beforeEach(() => {
  session = createSession()
  open(session, three)
})

describe('what each core buys', () => {
  test('has a sentence for every number of workers, with the first that beats one worker alone', async () => {
    await swept('workers')
    expect(sweep().points.every(({ run, refused }) => run !== null || refused !== null)).toBe(true)
    expect(sentenceAt('workers', 6)).toMatch(
      /^6 workers: done after .* times as fast as one worker alone, .* of what 6 could be; the last worker (saves|costs) .* busy; targets Read .*, Think .*, Write /,
    )
    expect(firstToBeatWords(sweep(), false)).toMatch(
      /^One worker that runs each job to its end takes .* s; the first to beat that (is 1 worker|are 2 workers), with .*\.$/,
    )
    await expect.poll(() => threads.open.size).toBe(0)
  })

  test.each([
    ['batch', 1, /^1 job a batch: done after/],
    ['switchCost', 0, /^Switch cost 0 µs: done after/],
    ['service B', 9000, /^Mean service at Think 9 ms: done after/],
  ] as const)('is asked of %s too', async (axis, value, words) => {
    expect(axesOf(scenario())).toContain(axis)
    await swept(axis)
    expect(sentenceAt(axis, value)).toMatch(words)
    expect(firstToBeatWords(sweep(), false)).toBe('')
  })
})
