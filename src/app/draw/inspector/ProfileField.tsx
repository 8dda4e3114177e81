import { t } from '../../../language/translate.ts'
import { setPolicy } from '../../../scenario/edit/edits.ts'
import { countJobs, MIN_RATE } from '../../../scenario/model/limits.ts'
import type { Policy, Scenario } from '../../../scenario/model/scenario.ts'
import { Button } from '../../base/controls/Button.tsx'
import { editOrShowProblems } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { type Drawable, profileFrom } from '../shapes/drawnRate.ts'
import { RateDrawing } from '../shapes/RateDrawing.tsx'

type PredictivePolicy = Extract<Policy, { kind: 'predictive' }>

/** The profile of a predictive policy as a rate to draw, with as many jobs as the scenario has. */
export function ProfileField({ scenario, policy }: { readonly scenario: Scenario; readonly policy: PredictivePolicy }) {
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
