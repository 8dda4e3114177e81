import { memo, type ReactNode, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../app/base/controls/Button.tsx'
import { useLanguage } from '../../../app/base/page/language.ts'
import { showBranch } from '../../../app/session/branches/branchStore.ts'
import { FeaturePanels } from '../../../app/session/features/features.tsx'
import { editOrShowProblems, scenarioStore } from '../../../app/session/scenario/scenarioStore.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { offerView } from '../../../app/share/links/viewNow.ts'
import { t } from '../../../language/translate.ts'
import { MAX_COMPARED, underPolicy } from '../../../runs/study/compare.ts'
import { kindName } from '../../../scenario/model/policies.ts'
import type { PolicyKind, Scenario } from '../../../scenario/model/scenario.ts'
import './compare.css'
import { ComparisonView } from './Comparison.tsx'
import {
  choosePolicy,
  chosenFor,
  comparedView,
  compareGroups,
  comparingStore,
  entrantsOnBranches,
  entrantsUnder,
  showComparedRun,
  withBaseline,
  withPolicy,
} from './comparing.ts'

/** The same jobs under several policies, or on the branches of the scenario; and the parts below. */
export function ComparePanel() {
  const session = useSession()
  useEffect(() => offerView(session, () => comparedView(session)), [session])
  return (
    <article className="record-panel compare" aria-label={t('Compare')}>
      <Compared />
      <FeaturePanels place="compare" of={{}} />
    </article>
  )
}

function Compared() {
  const session = useSession()
  const branched = useStore(scenarioStore(session), ({ whole }) => whole.branches.length > 0)
  const byPolicy = useStore(comparingStore(session), (state) => state.byPolicy)
  if (!branched) return <PolicyComparison />
  const Comparison = byPolicy ? PolicyComparison : BranchComparison
  return (
    <Comparison>
      <CompareBy byPolicy={byPolicy} />
    </Comparison>
  )
}

function CompareBy({ byPolicy }: { readonly byPolicy: boolean }) {
  const session = useSession()
  return (
    <fieldset className="segmented">
      <legend className="unseen">{t('Compare')}</legend>
      {[false, true].map((choice) => (
        <label key={`${choice}`}>
          <input
            type="radio"
            name="compared"
            checked={byPolicy === choice}
            onChange={() => comparingStore(session).setState({ byPolicy: choice })}
          />
          <span>{choice ? t('Policies') : t('Branches')}</span>
        </label>
      ))}
    </fieldset>
  )
}

function PolicyComparison({ children }: { readonly children?: ReactNode }) {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const chosen = useStore(comparingStore(session), (state) => state.chosen)
  const kinds = useMemo(() => chosenFor(scenario, chosen), [scenario, chosen])
  const entrants = useMemo(() => entrantsUnder(scenario, kinds), [scenario, kinds])
  const all = useMemo(() => withBaseline(scenario, entrants), [scenario, entrants])
  return (
    <ComparisonView
      head={t('Policy')}
      entrants={entrants}
      all={all}
      currentKey={scenario.policy.kind}
      buttonLabel={t('{n, plural, one {# policy} other {# policies}}', { n: kinds.length })}
      open={(_, run, time) => void showComparedRun(session, run, time)}
      adopt={({ key }) => editOrShowProblems(session, (now) => withPolicy(now, key as PolicyKind))}
      bestOf={scenario}
    >
      {children}
      {chosen !== null && (
        <Button className="link" onClick={() => comparingStore(session).setState({ chosen: null })} text={t('Reset')} />
      )}
      <Choice scenario={scenario} kinds={kinds} />
    </ComparisonView>
  )
}

/** The policies to choose from. For one that cannot play the scenario, the reason is shown. */
const Choice = memo(function Choice({
  scenario,
  kinds,
}: {
  readonly scenario: Scenario
  readonly kinds: readonly PolicyKind[]
}) {
  const session = useSession()
  useLanguage()
  const full = kinds.length >= MAX_COMPARED
  return (
    <details className="compare-choice">
      <summary>{t('{n} of at most {most} policies', { n: kinds.length, most: MAX_COMPARED })}</summary>
      <div>
        {compareGroups.map(({ title, kinds: all }) => (
          <fieldset key={title()}>
            <legend>{title()}</legend>
            {all.map((kind) => {
              const parsed = underPolicy(scenario, kind)
              const refused = 'problems' in parsed ? parsed.problems[0].message : undefined
              const chosen = kinds.includes(kind)
              return (
                <label key={kind} title={refused}>
                  <input
                    type="checkbox"
                    checked={chosen}
                    disabled={refused !== undefined || (full && !chosen)}
                    onChange={(event) => choosePolicy(session, scenario, kind, event.target.checked)}
                  />
                  {kindName(kind, scenario.policy)}
                </label>
              )
            })}
          </fieldset>
        ))}
      </div>
    </details>
  )
})

function BranchComparison({ children }: { readonly children?: ReactNode }) {
  const session = useSession()
  const whole = useStore(scenarioStore(session), (state) => state.whole)
  const shown = useStore(scenarioStore(session), (state) => state.shown)
  const entrants = useMemo(() => entrantsOnBranches(whole), [whole])
  return (
    <ComparisonView
      head={t('Branch')}
      entrants={entrants}
      all={entrants}
      currentKey={`${(shown ?? -1) + 1}`}
      buttonLabel={t('{n, plural, one {# branch} other {# branches}}', { n: entrants.length - 1 })}
      open={(entrant, run, time) => {
        showBranch(session, entrant.key === '0' ? null : Number(entrant.key) - 1)
        void showComparedRun(session, run, time)
      }}
      adopt={null}
    >
      {children}
    </ComparisonView>
  )
}
