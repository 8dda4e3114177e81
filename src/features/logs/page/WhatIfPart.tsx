import { useMemo, useState } from 'react'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Select } from '../../../app/base/controls/Select.tsx'
import { CopyField } from '../../../app/base/ui/CopyField.tsx'
import { Table } from '../../../app/base/ui/Table.tsx'
import { linkTo } from '../../../app/session/address.ts'
import { openScenario } from '../../../app/session/run/opening.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { toShortFragment } from '../../../scenario/link/codec.ts'
import { MAX_SHORT, MAX_WORKERS } from '../../../scenario/model/limits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count, duration } from '../../../views/drawing/format.ts'
import { hasDates, logTime, roundTimes } from '../draw/logDrawing.ts'
import type { Fit } from '../fit/fitLog.ts'
import { betterDays, flowTimes, type PlayedDays, peaksAt, worstStage } from '../fit/whatIf.ts'
import type { SystemLog } from '../read/log.ts'
import { type Asked, type WhatIfs, whatIfStudy } from './fitting.ts'
import { changesName, spreadText, whatIfSentence } from './fitWords.ts'
import { OwnChanges } from './OwnChanges.tsx'

/** The approximate number of times to choose from. */
const TIMES = 30

type Props = { readonly fit: Fit; readonly log: SystemLog; opened(): void }

/** Plays the day again with something changed from a time on. */
export function WhatIfPart({ fit, log, opened }: Props) {
  const [asked, setAsked] = useState<Asked>({ from: 0, more: 1, quicker: 20, own: [] })
  const { study, state, start } = useStudy(whatIfStudy, { fit, asked })
  const running = state.phase === 'running'
  const end = fit.time[fit.time.length - 1]
  const times = roundTimes(log.origin, 0, end, TIMES).filter((at) => at > 0 && at < end)
  return (
    <section className="fit-what-if" aria-label={t('The day again')}>
      <h3>{t('The same day, with a change')}</h3>
      <p>
        {t(
          'Each change is played on 20 days like this one, with other arrivals at the same rates and other service times. Each day has the same random numbers with and without the change. A policy shares out as many workers as your system had, and moves them at no cost.',
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
          <span>{t('More workers')}</span>
          <input
            type="number"
            min={1}
            max={MAX_WORKERS - fit.scenario.workers}
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
      <OwnChanges scenario={fit.scenario} changes={asked.own} choose={(own) => setAsked({ ...asked, own })} />
      {hasDates(log.origin) && <p className="soft">{t('Clock times are UTC.')}</p>}
      {!running && (
        <div className="fit-row">
          <Button className="button run" onClick={start} text={t('Play the changes')} />
        </div>
      )}
      <JobProgress job={study} label={t('Playing the changes')} />
      <JobFailure job={study} />
      {!running && state.found !== null && <WhatIfAnswers found={state.found} fit={fit} log={log} opened={opened} />}
    </section>
  )
}

/** The result of each change, and the chosen one as a sentence with its link. */
function WhatIfAnswers({ found, fit, log, opened }: Props & { readonly found: WhatIfs }) {
  const { base, answers, from } = found
  const [chosen, setChosen] = useState(0)
  const { scenario, time, logged } = fit
  const worst = worstStage(base)
  const { name } = scenario.stages[worst]
  const since = from === 0 ? null : logTime(log.origin, from)
  const inLog = logged[worst].reduce((most, queue, k) => (time[k] >= from ? Math.max(most, queue) : most), 0)
  const { changes, answer } = answers[chosen]
  const runs = base.days.length
  return (
    <>
      {'problem' in answer ? (
        <p className="problem-list">{answer.problem}</p>
      ) : (
        <div className="fit-answer" aria-live="polite">
          <CopyField label={t('The answer')} what={t('the answer')} text={whatIfSentence(changes, base, answer, since)} lines={2} />
          <p className="soft">{t('The log, which is a sample, shows at most {most} at {name}.', { most: count(inLog), name })}</p>
          <ScenarioOut scenario={answer.scenario} opened={opened} />
        </div>
      )}
      <Table
        wide={t('Results of the changes')}
        heads={[
          t('Change'),
          { text: t('Longest queue at {name}', { name }), about: t('In the whole log, or from the time of the change on.') },
          t('Longest of all'),
          { text: t('Time in the system'), about: t('Mean over all jobs, from arrival to leaving.') },
          { text: t('Better'), about: t('On how many of the days jobs spend less time in the system than without the change.') },
        ]}
      >
        <tr>
          <th scope="row">{t('As it was, in the run')}</th>
          <Cells played={base} worst={worst} />
          <td />
        </tr>
        {answers.map((each, k) => {
          const label = changesName(each.changes, scenario)
          return (
            <tr key={label} className={k === chosen ? 'fit-chosen' : undefined}>
              <th scope="row">
                <Button className="link" aria-pressed={k === chosen} onClick={() => setChosen(k)} text={label} />
              </th>
              {'problem' in each.answer ? (
                <td colSpan={4}>{each.answer.problem}</td>
              ) : (
                <>
                  <Cells played={each.answer} worst={worst} />
                  <td>{t('{better} of {runs}', { better: betterDays(base, each.answer), runs })}</td>
                </>
              )}
            </tr>
          )
        })}
      </Table>
    </>
  )
}

function Cells({ played, worst }: { readonly played: PlayedDays; readonly worst: number }) {
  const longest = worstStage(played)
  return (
    <>
      <td>{spreadText(peaksAt(played, worst), count)}</td>
      <td>{t('{most} at {name}', { most: count(peaksAt(played, longest).median), name: played.scenario.stages[longest].name })}</td>
      <td>{spreadText(flowTimes(played), duration)}</td>
    </>
  )
}

/** Opens a scenario on the canvas, where undo restores the last one, or gives its link. */
export function ScenarioOut({ scenario, opened }: { readonly scenario: Scenario; opened(): void }) {
  const session = useSession()
  const fragment = useMemo(() => toShortFragment(scenario), [scenario])
  const open = () => {
    openScenario(session, scenario)
    opened()
  }
  return (
    <div className="fit-row">
      <Button onClick={open} text={t('Open on the canvas')} />
      {fragment.length <= MAX_SHORT ? (
        <CopyField label={t('Link')} what={t('the link')} text={linkTo(session.address, fragment)} />
      ) : (
        <span className="soft">{t('The scenario is too long for a link. Open it on the canvas, and download it there.')}</span>
      )}
    </div>
  )
}
