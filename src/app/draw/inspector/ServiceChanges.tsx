import { t } from '../../../language/translate.ts'
import { setStage } from '../../../scenario/edit/edits.ts'
import { slowed } from '../../../scenario/edit/faults.ts'
import { countJobs, MAX_JOBS } from '../../../scenario/model/limits.ts'
import type { Scenario, Stage } from '../../../scenario/model/scenario.ts'
import { NumberField } from '../../base/forms/fields.tsx'
import { IconButton } from '../../base/forms/IconButton.tsx'
import { editOrRefuse } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import './lists.css'
import { ServiceFields } from './ServiceFields.tsx'
import { jobsFrom } from './underWay.ts'

type Change = Stage['changes'][number]

/** The changes of a service time, in order of the jobs they begin at. */
export function ServiceChanges({ stage, index }: { readonly stage: Stage; readonly index: number }) {
  const session = useSession()
  const { id, changes } = stage
  const put = (scenario: Scenario, change: (before: readonly Change[]) => readonly Change[]) => {
    const now = scenario.stages.find((each) => each.id === id)?.changes
    return now === undefined ? scenario : setStage(scenario, id, { changes: change(now) })
  }
  const patch = (scenario: Scenario, k: number, change: (before: Change) => Change) =>
    put(scenario, (before) => before.map((each, n) => (n === k ? change(each) : each)))
  return (
    <>
      {changes.map(({ from, service }, k) => {
        const path = `stages[${index}].changes[${k}]`
        return (
          // Changes have no other name than their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <fieldset className="form-change" key={k} aria-label={t('Change {k}', { k: k + 1 })}>
            <div className="form-change-head">
              <NumberField
                label={t('From job')}
                hint={k === 0 ? t('Jobs are numbered from 0, in order of arrival') : undefined}
                path={`${path}.from`}
                value={from}
                by={10}
                change={(scenario, next) => patch(scenario, k, (before) => ({ ...before, from: next }))}
              />
              <IconButton
                label={t('Remove change {k}', { k: k + 1 })}
                path="M4 4l8 8M12 4l-8 8"
                onClick={() => editOrRefuse(session, (scenario) => put(scenario, (before) => before.filter((_, n) => n !== k)))}
              />
            </div>
            <ServiceFields
              service={service}
              path={`${path}.service`}
              index={index}
              put={(scenario, change) => patch(scenario, k, (before) => ({ ...before, service: change(before.service) }))}
            />
          </fieldset>
        )
      })}
      <button
        type="button"
        className="form-add"
        onClick={() =>
          editOrRefuse(session, (scenario) => put(scenario, (before) => [...before, nextChange(scenario, stage, before, jobsFrom(session, index))]))
        }
      >
        {changes.length === 0 ? t('Change it from a job on') : t('Change it again')}
      </button>
    </>
  )
}

/** Returns a visible change to begin with: twice as slow, from the middle of the remaining jobs. */
function nextChange({ source }: Scenario, stage: Stage, before: readonly Change[], begun: number): Change {
  const last = before.at(-1)
  const least = Math.max(begun, last === undefined ? 0 : last.from + 1)
  const from = Math.min(MAX_JOBS, Math.max(least, Math.floor((least + countJobs(source)) / 2)))
  return { from, service: slowed({ ...stage, changes: before }, from, 2).service }
}
