import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Change } from '../../../../src/features/logs/fit/changes.ts'
import { type Fit, fitLog } from '../../../../src/features/logs/fit/fitLog.ts'
import { DAYS, peaksAt, playWhatIf } from '../../../../src/features/logs/fit/whatIf.ts'
import { whatIfSentence } from '../../../../src/features/logs/page/fitWords.ts'
import { createLogReader } from '../../../../src/features/logs/read/readLog.ts'
import { toShortFragment } from '../../../../src/scenario/link/codec.ts'
import { countJobs } from '../../../../src/scenario/model/sources.ts'
import { sampleIncident } from '../../../bench/sampleIncident.ts'
import { inFull } from '../../../fixtures/extent.ts'

const file = new URL('../../../../public/sample-incident.csv', import.meta.url)
if (process.env.UPDATE_SAMPLE === '1') writeFileSync(file, sampleIncident())

test('the sample incident is what its generator writes; UPDATE_SAMPLE=1 writes it again', () => {
  expect(readFileSync(file, 'utf8')).toBe(sampleIncident())
})

describe.runIf(inFull)('the sample incident', () => {
  let fit: Fit
  beforeAll(async () => {
    const reader = createLogReader()
    reader.push(readFileSync(file))
    const read = reader.end()
    if (!('log' in read)) throw new Error('the sample cannot be read')
    expect(read.bad).toBe(0)
    fit = await fitLog(read.log)
  })

  test('is fitted without a stretch of its long queue that is left unexplained, and the stage of the incident within a tenth', () => {
    expect(fit.gaps.filter(({ logged }) => logged > 3)).toEqual([])
    const resize = fit.stages.find(({ name }) => name === 'Resize')
    expect(resize?.logged).toBeGreaterThan(5)
    expect(resize?.error).toBeLessThan(0.1)
  })

  test('has a link of at most 4,000 characters, for 4,000 jobs', () => {
    expect(countJobs(fit.scenario.source)).toBeGreaterThan(3900)
    expect(toShortFragment(fit.scenario).length).toBeLessThanOrEqual(4000)
  })

  test('would have been no incident under least total time, nor with a worker more at Resize, nor with a quicker Resize, as the docs say', async () => {
    const { scenario, time, arrivals } = fit
    const docs = readFileSync(new URL('../../../../docs/your-own-log.md', import.meta.url), 'utf8').replace(/\s+/g, ' ')
    const played = async (change: Change | null) => {
      const answer = await playWhatIf({
        scenario,
        changes: change === null ? [] : [change],
        arrivals,
        days: DAYS,
        from: 240_000_000,
        until: time[time.length - 1],
      })
      if ('problem' in answer) throw new Error(answer.problem)
      return answer
    }
    const base = await played(null)
    const longest = peaksAt(base, 1).median
    expect(longest).toBeGreaterThan(60)
    const peakAfter = async (change: Change) => {
      const changed = await played(change)
      expect(docs).toContain(`- ${whatIfSentence([change], base, changed, '09:04')} `)
      return peaksAt(changed, 1).median
    }
    expect(await peakAfter({ kind: 'policy', policy: 'leastScore' })).toBeLessThan(longest / 3)
    expect(await peakAfter({ kind: 'workers', stage: 1, more: 1 })).toBeLessThan(longest / 2)
    expect(await peakAfter({ kind: 'quicker', stage: 1, share: 0.8 })).toBeLessThan(longest / 2.5)
    expect(await peakAfter({ kind: 'workers', stage: 0, more: 1 })).toBeGreaterThan(0.8 * longest)
    expect(docs).toContain(`mean error of ${Math.round(100 * fit.stages[1].error)}%`)
  })
})
