import { Fragment } from 'react'
import { t } from '../../../language/translate.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import { isPinned } from '../../../scenario/model/defaults.ts'
import { MAX_WORKERS } from '../../../scenario/model/limits.ts'
import { linearOrder } from '../../../scenario/model/linearStages.ts'
import { paramsOf } from '../../../scenario/model/policies.ts'
import type { NumberParam } from '../../../scenario/model/policyDescription.ts'
import type { Policy, PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { Button } from '../../base/controls/Button.tsx'
import { keepFold } from '../../base/controls/foldMemory.ts'
import { type Bound, inside } from '../../base/forms/bound.ts'
import { CheckField, NumberField } from '../../base/forms/fields.tsx'
import type { Param } from '../../base/forms/param.ts'
import { FeaturePanels, openerOf } from '../../session/features/features.tsx'
import { openPanel } from '../../session/run/panelStore.ts'
import { useSession } from '../../session/useSession.ts'
import { Params } from './Params.tsx'
import { ProfileField } from './ProfileField.tsx'

/** The parameters of the policy, and whether it lends. */
export function PolicyParams({ scenario }: { readonly scenario: Scenario }) {
  const session = useSession()
  const { policy, stages } = scenario
  const bound: Bound<Policy> = { path: 'policy', value: policy, change: setPolicy }
  const showTuning = () => {
    keepFold('tuning', true)
    openPanel(session, 'decision')
  }
  return (
    <>
      {policy.kind === 'fixed' && <AllocationFields scenario={scenario} allocation={inside({ ...bound, value: policy }, 'allocation')} />}
      <FeaturePanels place="policyForm" of={{ policy, scenario }} on={scenario} />
      {inFormOrder(policy.kind).map(([key, param]) => (
        <Fragment key={key}>
          {param.is === 'rates' && policy.kind === 'predictive' && <ProfileField scenario={scenario} policy={policy} />}
          {param.is === 'rates' && <Params params={[{ key, label: param.label(), kind: 'rates', hint: param.hint?.() }]} of={bound} />}
          {'least' in param && <Params params={[fieldOf(key, param, stages.length)]} of={bound} />}
          {key === 'clamp' && <AboutWindUp />}
          {key === 'kd' && <Button className="link form-to" onClick={showTuning} text={t('Search gains by the simulation')} />}
        </Fragment>
      ))}
      {!isPinned(policy.kind) && <CheckField label={t('Let idle workers help other stages, even below their own target')} {...inside(bound, 'lend')} />}
    </>
  )
}

/** Why an integral part is clamped, and the lesson in which it winds up. */
function AboutWindUp() {
  const session = useSession()
  const openLesson = openerOf(session, 'lesson')
  return (
    <p className="form-about">
      {t(
        'A queue that stays above its target makes the integral part grow. Without a clamp the pool stays large long after the queue is gone: the integral has wound up.',
      )}{' '}
      {openLesson !== undefined && <Button className="link" onClick={() => openLesson(session, 'wind-up')} text={t('See it in the lesson')} />}
    </p>
  )
}

/** Returns the parameters of a policy. Those of all elastic pools come last. */
function inFormOrder(kind: PolicyKind) {
  const place = (key: string) => ['every', 'max'].indexOf(key)
  return [...paramsOf(kind)].sort(([a], [b]) => place(a) - place(b))
}

function fieldOf(key: string, { is, orNone, eachStage, label, hint, unit, by, slider }: NumberParam, stages: number): Param {
  const [least, most] = slider ?? []
  const greatest = most === 'workers' ? Math.floor(MAX_WORKERS / (eachStage ? stages : 1)) : most
  return {
    key,
    label: label(),
    kind: orNone ? 'optional' : is === 'micros' ? 'duration' : 'number',
    hint: hint?.(),
    unit: unit?.(),
    by,
    slider: least === undefined || greatest === undefined ? undefined : { least, most: greatest, whole: true },
  }
}

function AllocationFields({ scenario, allocation }: { readonly scenario: Scenario; readonly allocation: Bound<Readonly<Record<string, number>>> }) {
  const names = new Map(scenario.stages.map(({ id, name }) => [id, name]))
  return linearOrder(scenario).map((id) => <NumberField key={id} label={names.get(id) ?? id} {...inside(allocation, id)} value={allocation.value[id] ?? 0} />)
}
