import { useState } from 'react'
import { Button } from '../../../../app/base/controls/Button.tsx'
import { Table } from '../../../../app/base/tables/Table.tsx'
import { CopyField } from '../../../../app/base/ui/CopyField.tsx'
import { t } from '../../../../language/translate.ts'
import { count, duration } from '../../../../views/drawing/format.ts'
import { logTime } from '../../draw/logClock.ts'
import type { Fit } from '../../fit/fitLog.ts'
import type { SystemLog } from '../../read/log.ts'
import type { PlayedDay, WhatIfs } from './fitting.ts'
import { changeName, whatIfSentence, worstStage } from './fitWords.ts'
import { ScenarioOut } from './ScenarioOut.tsx'

interface Props {
  readonly found: WhatIfs
  readonly fit: Fit
  readonly log: SystemLog
  opened(): void
}

/** What each change comes to, and the chosen one as a sentence with its link. */
export function WhatIfAnswers({ found, fit, log, opened }: Props) {
  const { base, answers, from } = found
  const [chosen, setChosen] = useState(0)
  const { scenario, time, logged } = fit
  const worst = worstStage(base)
  const { name } = scenario.stages[worst]
  const since = from === 0 ? null : logTime(log.origin, from)
  const inLog = logged[worst].reduce((most, queue, k) => (time[k] >= from ? Math.max(most, queue) : most), 0)
  const { change, answer } = answers[chosen]
  return (
    <>
      {!('problem' in answer) && (
        <div className="fit-answer" aria-live="polite">
          <CopyField label={t('The answer')} what={t('the answer')} text={whatIfSentence(change, base, answer, since)} lines={2} />
          <p className="soft">{t('The log, which looks from time to time, shows at most {most} at {name}.', { most: count(inLog), name })}</p>
          <ScenarioOut scenario={answer.scenario} opened={opened} />
        </div>
      )}
      <Table
        wide={t('What the changes come to')}
        heads={[
          t('Change'),
          { text: t('Longest queue at {name}', { name }), about: t('In the whole log, or from the time of the change on.') },
          t('Longest of all'),
          { text: t('Time in the system'), about: t('Mean over all jobs, from arrival to leaving.') },
        ]}
      >
        <tr>
          <th scope="row">{t('As it was, in the run')}</th>
          <Cells played={base} worst={worst} />
        </tr>
        {answers.map((each, k) => (
          <tr key={changeName(each.change, scenario)} className={k === chosen ? 'fit-chosen' : undefined}>
            <th scope="row">
              <Button className="link" aria-pressed={k === chosen} onClick={() => setChosen(k)} text={changeName(each.change, scenario)} />
            </th>
            {'problem' in each.answer ? <td colSpan={3}>{each.answer.problem}</td> : <Cells played={each.answer} worst={worst} />}
          </tr>
        ))}
      </Table>
    </>
  )
}

function Cells({ played, worst }: { readonly played: PlayedDay; readonly worst: number }) {
  const { peaks, meanFlowTime, scenario } = played
  const longest = worstStage(played)
  return (
    <>
      <td>{count(peaks[worst])}</td>
      <td>{t('{most} at {name}', { most: count(peaks[longest]), name: scenario.stages[longest].name })}</td>
      <td>{duration(meanFlowTime)}</td>
    </>
  )
}
