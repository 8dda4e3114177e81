import { useState } from 'react'
import { t } from '../../../language/translate.ts'
import { startedJobsIn } from '../../../scenario/edit/branches.ts'
import { slowerService } from '../../../scenario/edit/faults.ts'
import { distributionKinds, distributions, serviceOfKind } from '../../../scenario/model/distributions.ts'
import { MAX_JOBS } from '../../../scenario/model/limits.ts'
import { paramsIn } from '../../../scenario/model/params.ts'
import type { Scenario, Service, Stage } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { Button } from '../../base/controls/Button.tsx'
import { type Bound, inside, itemOf, kindOf, shownAs, stageBound, withoutItem } from '../../base/forms/bound.ts'
import { NumberField, SelectField } from '../../base/forms/fields.tsx'
import { RemoveButton } from '../../base/forms/IconButton.tsx'
import { editOrShowProblems, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { ServiceDrawing } from '../shapes/ServiceDrawing.tsx'
import { ParamFields } from './ParamFields.tsx'
import './lists.css'

/** The service time of the stage with this number: its distribution, shape and parameters. */
export function ServiceFields({ of, index }: { readonly of: Bound<Service>; readonly index: number }) {
  const session = useSession()
  const { value: service, path, change } = of
  // The fields show a value while it is pulled. The scenario gets it on release.
  const [drawn, setDrawn] = useState<Service | null>(null)
  return (
    <>
      <SelectField
        label={t('Distribution')}
        {...shownAs(of, kindOf, (kind) => serviceOfKind(kind, service))}
        options={distributionKinds.map((kind) => [kind, distributions[kind].name()] as const)}
      />
      <ServiceDrawing
        service={service}
        drawn={drawn}
        index={index}
        onPull={setDrawn}
        onSet={(next, key) =>
          editOrShowProblems(
            session,
            (scenario) => change(scenario, next),
            key === undefined ? undefined : `${path} ${key}`,
          )
        }
      />
      <ParamFields params={paramsIn(distributions[service.kind])} of={{ ...of, value: drawn ?? service }} />
    </>
  )
}

/** The changes of a service time, in order of the jobs they begin at. */
export function ServiceChanges({ stage, index }: { readonly stage: Stage; readonly index: number }) {
  const session = useSession()
  const bound = stageBound(stage, index, 'changes')
  const { value: changes, change } = bound
  const withOneMore = (scenario: Scenario) =>
    change(scenario, [...changes, nextChange(scenario, stage, firstEditableJob(session, index))])
  return (
    <>
      {changes.map((_, k) => {
        const item = itemOf(bound, k)
        return (
          // Changes have no id, only a place.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <fieldset className="form-change" key={k} aria-label={t('Change {k}', { k: k + 1 })}>
            <div className="form-change-head">
              <NumberField label={t('From job')} {...inside(item, 'from')} by={10} />
              <RemoveButton label={t('Remove')} onClick={() => editOrShowProblems(session, withoutItem(bound, k))} />
            </div>
            <ServiceFields of={inside(item, 'service')} index={index} />
          </fieldset>
        )
      })}
      <Button
        className="form-add"
        onClick={() => editOrShowProblems(session, withOneMore)}
        text={t('Change it from a job on')}
      />
    </>
  )
}

/** Returns a visible change to begin with: twice as slow, from the middle of the remaining jobs. */
function nextChange({ source }: Scenario, stage: Stage, startedJobs: number): Stage['changes'][number] {
  const last = stage.changes.at(-1)
  const first = Math.max(startedJobs, last === undefined ? 0 : last.from + 1)
  const from = Math.min(MAX_JOBS, Math.max(first, Math.floor((first + countJobs(source)) / 2)))
  return { from, service: slowerService(stage, from, 2).service }
}

/** Returns the first job whose service time at a stage can change in a branch; 0 for the original. */
function firstEditableJob(session: Session, stage: number): number {
  const { whole, shown } = scenarioStore(session).getState()
  return shown === null ? 0 : startedJobsIn(whole, shown)[stage]
}
