import { Fragment } from 'react'
import { t } from '../../../language/translate.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import { isPinned } from '../../../scenario/model/defaults.ts'
import { MIN_RATE } from '../../../scenario/model/limits.ts'
import { linearOrder } from '../../../scenario/model/linearStages.ts'
import { paramsOf } from '../../../scenario/model/policies.ts'
import type { Policy, Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { keepFold } from '../../base/browser/foldState.ts'
import { Button } from '../../base/controls/Button.tsx'
import { type Bound, inside } from '../../base/forms/bound.ts'
import { CheckField, NumberField } from '../../base/forms/fields.tsx'
import { FeaturePanels, openerOf } from '../../session/features/features.tsx'
import { openPanel } from '../../session/page/showing.ts'
import { editOrShowProblems } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { profileFrom, ratePoints } from '../shapes/drawnRate.ts'
import { RateDrawing } from '../shapes/RateDrawing.tsx'
import { ParamFields } from './ParamFields.tsx'

export function PolicyParams({ scenario }: { readonly scenario: Scenario }) {
  const session = useSession()
  const { policy } = scenario
  const bound: Bound<Policy> = { path: 'policy', value: policy, change: setPolicy }
  // The parameters of all elastic pools come last.
  const place = (key: string) => ['every', 'max'].indexOf(key)
  const params = [...paramsOf(policy.kind)].sort(([a], [b]) => place(a) - place(b))
  const showTuning = () => {
    keepFold('tuning', true)
    openPanel(session, 'decision')
  }
  return (
    <>
      {policy.kind === 'fixed' && (
        <AllocationFields scenario={scenario} allocation={inside({ ...bound, value: policy }, 'allocation')} />
      )}
      <FeaturePanels place="policyForm" of={{ policy, scenario }} on={scenario} />
      {params.map(([key, param]) => (
        <Fragment key={key}>
          {param.is === 'rates' && policy.kind === 'predictive' && <ProfileField scenario={scenario} policy={policy} />}
          <ParamFields params={[[key, param]]} of={bound} />
          {key === 'clamp' && <WindUpLesson />}
          {key === 'kd' && <Button className="link form-to" onClick={showTuning} text={t('Search gains')} />}
        </Fragment>
      ))}
      {!isPinned(policy.kind) && (
        <CheckField label={t('Let idle workers help other stages')} {...inside(bound, 'lend')} />
      )}
    </>
  )
}

function WindUpLesson() {
  const session = useSession()
  const openLesson = openerOf(session, 'lesson')
  return (
    openLesson !== undefined && (
      <Button
        className="link form-to"
        onClick={() => openLesson(session, 'wind-up')}
        text={t('See it in the lesson')}
      />
    )
  )
}

function AllocationFields({
  scenario,
  allocation,
}: {
  readonly scenario: Scenario
  readonly allocation: Bound<Readonly<Record<string, number>>>
}) {
  const names = new Map(scenario.stages.map(({ id, name }) => [id, name]))
  return linearOrder(scenario).map((id) => (
    <NumberField key={id} label={names.get(id) ?? id} {...inside(allocation, id)} value={allocation.value[id] ?? 0} />
  ))
}

type PredictivePolicy = Extract<Policy, { kind: 'predictive' }>
type Profile = PredictivePolicy['profile']

/** The profile of a predictive policy as a rate to draw, with as many jobs as the scenario has. */
function ProfileField({ scenario, policy }: { readonly scenario: Scenario; readonly policy: PredictivePolicy }) {
  const session = useSession()
  const { source } = scenario
  const curveOf = (profile: Profile) => ({ kind: 'curve' as const, points: profile, jobs: countJobs(source) })
  const arrivals = profileFrom(source)
  const [, last] = policy.profile[policy.profile.length - 1]
  /** Returns an edit of the profile, unless the scenario has another policy by then. */
  const redrawn = (redraw: (profile: Profile) => Profile) => (before: Scenario) =>
    before.policy.kind === 'predictive'
      ? setPolicy(before, { ...before.policy, profile: redraw(before.policy.profile) })
      : before
  return (
    <>
      {last >= MIN_RATE && (
        <RateDrawing
          source={curveOf(policy.profile)}
          put={(before, redraw) => redrawn((profile) => ratePoints(redraw(curveOf(profile))))(before)}
        />
      )}
      {arrivals !== null && (
        <Button
          className="link form-to"
          onClick={() =>
            editOrShowProblems(
              session,
              redrawn(() => arrivals),
            )
          }
          text={t('Take this scenario’s arrivals')}
        />
      )}
    </>
  )
}
