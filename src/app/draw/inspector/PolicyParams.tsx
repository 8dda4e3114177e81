import { Fragment } from 'react'
import { t } from '../../../language/translate.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import { isPinned } from '../../../scenario/model/defaults.ts'
import { MIN_RATE } from '../../../scenario/model/limits.ts'
import { linearOrder } from '../../../scenario/model/linearStages.ts'
import { paramsOf } from '../../../scenario/model/policies.ts'
import type { Policy, PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { keepFold } from '../../base/browser/browserStorage.ts'
import { Button } from '../../base/controls/Button.tsx'
import { type Bound, inside } from '../../base/forms/bound.ts'
import { CheckField, NumberField } from '../../base/forms/fields.tsx'
import { FeaturePanels, openerOf } from '../../session/features/features.tsx'
import { openPanel } from '../../session/page/showing.ts'
import { editOrShowProblems } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { type Drawable, profileFrom } from '../shapes/drawnRate.ts'
import { RateDrawing } from '../shapes/RateDrawing.tsx'
import { ParamFields } from './ParamFields.tsx'

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
          <ParamFields params={[[key, param]]} of={bound} stages={stages.length} />
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

function AllocationFields({ scenario, allocation }: { readonly scenario: Scenario; readonly allocation: Bound<Readonly<Record<string, number>>> }) {
  const names = new Map(scenario.stages.map(({ id, name }) => [id, name]))
  return linearOrder(scenario).map((id) => <NumberField key={id} label={names.get(id) ?? id} {...inside(allocation, id)} value={allocation.value[id] ?? 0} />)
}

type PredictivePolicy = Extract<Policy, { kind: 'predictive' }>

/** The profile of a predictive policy as a rate to draw, with as many jobs as the scenario has. */
function ProfileField({ scenario, policy }: { readonly scenario: Scenario; readonly policy: PredictivePolicy }) {
  const session = useSession()
  const { source } = scenario
  const drawn = (profile: PredictivePolicy['profile']): Extract<Drawable, { kind: 'curve' }> => ({ kind: 'curve', points: profile, jobs: countJobs(source) })
  const taken = profileFrom(source)
  const [, last] = policy.profile[policy.profile.length - 1]
  return (
    <>
      {last >= MIN_RATE && (
        <RateDrawing
          source={drawn(policy.profile)}
          put={(before, redraw) => {
            if (before.policy.kind !== 'predictive') return before
            const next = redraw(drawn(before.policy.profile))
            return next.kind === 'curve' ? setPolicy(before, { ...before.policy, profile: next.points }) : before
          }}
        />
      )}
      {taken !== null && (
        <Button
          className="link form-to"
          onClick={() =>
            editOrShowProblems(session, (before) => (before.policy.kind === 'predictive' ? setPolicy(before, { ...before.policy, profile: taken }) : before))
          }
          text={t('Take the arrivals of this scenario')}
        />
      )}
    </>
  )
}
