import { readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Fit, fitLog } from '../../../../src/features/logs/fit/fitLog.ts'
import { type Change, playWhatIf } from '../../../../src/features/logs/fit/whatIf.ts'
import { whatIfSentence } from '../../../../src/features/logs/page/fitting.ts'
import { createLogReader } from '../../../../src/features/logs/read/readLog.ts'
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

  test('is fitted without a stretch that is left unexplained, and the stage of the incident within a tenth', () => {
    expect(fit.gaps).toEqual([])
    const resize = fit.stages.find(({ name }) => name === 'Resize')
    expect(resize?.logged).toBeGreaterThan(5)
    expect(resize?.error).toBeLessThan(0.1)
  })

  test('would have been no incident under least total time, nor with a worker more at Resize, nor with a quicker Resize, as the docs say', async () => {
    const { scenario, time } = fit
    const docs = readFileSync(new URL('../../../../docs/your-own-log.md', import.meta.url), 'utf8').replace(/\s+/g, ' ')
    const played = async (change: Change | null) => {
      const answer = await playWhatIf({ scenario, change, from: 240_000_000, until: time[time.length - 1] })
      if ('problem' in answer) throw new Error(answer.problem)
      return answer
    }
    const base = await played(null)
    expect(base.peaks[1]).toBeGreaterThan(60)
    const peakAfter = async (change: Change) => {
      const changed = await played(change)
      expect(docs).toContain(`- ${whatIfSentence(change, base, changed, '09:04')} `)
      return changed.peaks[1]
    }
    expect(await peakAfter({ kind: 'policy', policy: 'leastScore' })).toBeLessThan(base.peaks[1] / 4)
    expect(await peakAfter({ kind: 'workers', stage: 1, more: 1 })).toBeLessThan(base.peaks[1] / 4)
    expect(await peakAfter({ kind: 'quicker', stage: 1, share: 0.8 })).toBeLessThan(base.peaks[1] / 4)
    expect(await peakAfter({ kind: 'workers', stage: 0, more: 1 })).toBeGreaterThan(0.8 * base.peaks[1])
    expect(docs).toContain(`mean error of ${Math.round(100 * fit.stages[1].error)}%`)
  })
})
