import { useState } from 'react'
import { Button } from '../../../../app/base/controls/Button.tsx'
import { Select } from '../../../../app/base/controls/Select.tsx'
import { JobFailure, JobProgress } from '../../../../app/session/run/JobProgress.tsx'
import { useStudy } from '../../../../app/session/study/useStudy.ts'
import { t } from '../../../../language/translate.ts'
import { MAX_WORKERS } from '../../../../scenario/model/limits.ts'
import { hasDates, logTime, roundTimes } from '../../draw/logClock.ts'
import type { Fit } from '../../fit/fitLog.ts'
import type { SystemLog } from '../../read/log.ts'
import { type Asked, whatIfStudy } from './fitting.ts'
import { WhatIfAnswers } from './WhatIfAnswers.tsx'

/** About how many times there are to choose from. */
const TIMES = 30

interface Props {
  readonly fit: Fit
  readonly log: SystemLog
  opened(): void
}

/** Plays the day again with something changed from a time on. */
export function WhatIfPart({ fit, log, opened }: Props) {
  const [asked, setAsked] = useState<Asked>({ from: 0, more: 1, quicker: 20 })
  const { study, state, start } = useStudy(whatIfStudy, { fit, asked })
  const running = state.phase === 'running'
  const { time, scenario } = fit
  const most = MAX_WORKERS - scenario.workers
  const times = roundTimes(log.origin, 0, time[time.length - 1], TIMES).filter((at) => at > 0 && at < time[time.length - 1])
  return (
    <section className="fit-what-if" aria-label={t('The day again')}>
      <h3>{t('The same day, with a change')}</h3>
      <p>
        {t(
          'Jobs and random numbers stay the same, so only the change makes a difference. A policy shares out as many workers as your system had, and moves them at no cost.',
        )}
      </p>
      <div className="field-row">
        <label className="field">
          <span>{t('From')}</span>
          <Select
            value={asked.from}
            options={[[0, t('the start')], ...times.map((at) => [at, logTime(log.origin, at)] as const)]}
            choose={(from) => setAsked({ ...asked, from })}
          />
        </label>
        <label className="field">
          <span>{t('Workers more')}</span>
          <input
            type="number"
            min={1}
            max={most}
            value={asked.more}
            onChange={({ target }) => target.validity.valid && target.value !== '' && setAsked({ ...asked, more: target.valueAsNumber })}
          />
        </label>
        <label className="field">
          <span>{t('Quicker by')}</span>
          <Select
            value={asked.quicker}
            options={[10, 20, 30, 50].map((share) => [share, t('{x}%', { x: String(share) })])}
            choose={(quicker) => setAsked({ ...asked, quicker })}
          />
        </label>
      </div>
      {hasDates(log.origin) && <p className="soft">{t('Clock times are UTC.')}</p>}
      {!running && (
        <div className="fit-row">
          <Button className="button run" onClick={start} text={t('Play the changes')} />
        </div>
      )}
      {running && <JobProgress job={study} label={t('Playing the changes')} />}
      {state.phase === 'failed' && <JobFailure job={study} />}
      {!running && state.found !== null && <WhatIfAnswers found={state.found} fit={fit} log={log} opened={opened} />}
    </section>
  )
}
