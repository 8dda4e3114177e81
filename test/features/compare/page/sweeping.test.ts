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
      /^6 workers: took .*; speed-up .*, efficiency .*; the last worker saves .* busy; targets Read .*, Think .*, Write /,
    )
    expect(firstToBeatWords(sweep(), false)).toMatch(
      /^One worker alone takes .* s; (1 worker beats|2 workers beat) that\.$/,
    )
    await expect.poll(() => threads.open.size).toBe(0)
  })

  test.each([
    ['batch', 1, /^1 job a batch: took/],
    ['switchCost', 0, /^Switch cost 0 µs: took/],
    ['service B', 9000, /^Mean service at Think 9 ms: took/],
  ] as const)('is asked of %s too', async (axis, value, words) => {
    expect(axesOf(scenario())).toContain(axis)
    await swept(axis)
    expect(sentenceAt(axis, value)).toMatch(words)
    expect(firstToBeatWords(sweep(), false)).toBe('')
  })
})
