import { t } from '../../../language/translate.ts'
import { slowerService } from '../../../scenario/edit/faults.ts'
import { countJobs, MAX_JOBS } from '../../../scenario/model/limits.ts'
import type { Scenario, Stage } from '../../../scenario/model/scenario.ts'
import { Button } from '../../base/controls/Button.tsx'
import { inside, itemOf, withoutItem } from '../../base/forms/bound.ts'
import { NumberField } from '../../base/forms/fields.tsx'
import { RemoveButton } from '../../base/forms/IconButton.tsx'
import { editOrShowProblems } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import './lists.css'
import { stagePart } from './bounds.ts'
import { firstEditableJob } from './firstEditable.ts'
import { ServiceFields } from './ServiceFields.tsx'

/** The changes of a service time, in order of the jobs they begin at. */
export function ServiceChanges({ stage, index }: { readonly stage: Stage; readonly index: number }) {
  const session = useSession()
  const bound = stagePart(stage, index, 'changes')
  const { value: changes, change } = bound
  const withOneMore = (scenario: Scenario) => change(scenario, [...changes, nextChange(scenario, stage, firstEditableJob(session, index))])
  return (
    <>
      {changes.map((_, k) => {
        const own = itemOf(bound, k)
        return (
          // Changes have no other name than their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <fieldset className="form-change" key={k} aria-label={t('Change {k}', { k: k + 1 })}>
            <div className="form-change-head">
              <NumberField
                label={t('From job')}
                hint={k === 0 ? t('Jobs are numbered from 0, in order of arrival') : undefined}
                {...inside(own, 'from')}
                by={10}
              />
              <RemoveButton label={t('Remove change {k}', { k: k + 1 })} onClick={() => editOrShowProblems(session, withoutItem(bound, k))} />
            </div>
            <ServiceFields of={inside(own, 'service')} index={index} />
          </fieldset>
        )
      })}
      <Button
        className="form-add"
        onClick={() => editOrShowProblems(session, withOneMore)}
        text={changes.length === 0 ? t('Change it from a job on') : t('Change it again')}
      />
    </>
  )
}

/** Returns a visible change to begin with: twice as slow, from the middle of the remaining jobs. */
function nextChange({ source }: Scenario, stage: Stage, begun: number): Stage['changes'][number] {
  const last = stage.changes.at(-1)
  const least = Math.max(begun, last === undefined ? 0 : last.from + 1)
  const from = Math.min(MAX_JOBS, Math.max(least, Math.floor((least + countJobs(source)) / 2)))
  return { from, service: slowerService(stage, from, 2).service }
}
