import { useMemo } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { comparisonKey } from '../../../scenario/model/compact.ts'
import { endOf } from '../../../trace/trace.ts'
import { clock, duration } from '../../../views/drawing/format.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Translated } from '../../base/ui/Translated.tsx'
import { runStore } from '../run/runStore.ts'
import { scenarioStore } from '../scenario/scenarioStore.ts'
import { useSession } from '../useSession.ts'
import { branchRunStore, membersOf, removeBranch, runOf, turnTo } from './branchRuns.ts'
import { nameBranch } from './branchStore.ts'
import { branchNames, differencesOf } from './branchWords.ts'
import './branches.css'

/** The choice of the original or a branch, and what the branch on the canvas changes. */
export function Branches() {
  const session = useSession()
  const whole = useStore(scenarioStore(session), (state) => state.whole)
  const shown = useStore(scenarioStore(session), (state) => state.shown)
  const runs = useStore(branchRunStore(session))
  // The length of a run is known when it has ended.
  useStore(runStore(session), (state) => state.phase)
  const members = useMemo(() => membersOf(whole), [whole])
  const names = branchNames(whole)
  return (
    <section className="branches" data-control="branches" aria-label={t('Branches')}>
      <fieldset className="segmented">
        <legend className="unseen">{t('Branch')}</legend>
        {members.map((member, m) => {
          const k = m === 0 ? null : m - 1
          const run = runOf(session, member, runs)
          return (
            // Branches have no other name than their place.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <label key={m}>
              <input type="radio" name="branch" checked={shown === k} onChange={() => void turnTo(session, k)} />
              <span>
                <bdi>{k === null ? t('Original') : names[k]}</bdi>
                {k !== null && <small>{t(' from {at}', { at: clock(whole.branches[k].at) })}</small>}
                {run !== null && run.trace.ending !== null && <small> · {duration(endOf(run.trace))}</small>}
              </span>
            </label>
          )
        })}
      </fieldset>
      {shown !== null && <Shown key={shown} shown={shown} />}
    </section>
  )
}

function Shown({ shown }: { readonly shown: number }) {
  const session = useSession()
  const { whole, scenario, draftProblems } = useStore(scenarioStore(session))
  const { run } = useStore(runStore(session))
  const { at, title } = whole.branches[shown]
  const differences = differencesOf(whole, shown)
  const played = useMemo(() => run !== null && comparisonKey(run.scenario) === comparisonKey(scenario), [run, scenario])
  return (
    <>
      <p className="branch-message" aria-live="polite">
        {draftProblems.length > 0 ? (
          <span className="warning">{t('Not everything can change during the run.')}</span>
        ) : played && differences.length > 0 ? (
          t('Equals the original until {at}. Then: {x}.', { at: clock(at), x: differences.join(', ') })
        ) : (
          <Translated
            text="<b>Forked at {time}:</b> changes now apply from there on{what}."
            values={{ time: clock(at), what: differences.length > 0 ? ` (${differences.join(', ')})` : '' }}
            tags={{ b: (inside) => <b>{inside}</b> }}
          />
        )}
      </p>
      <input
        key={title}
        className="branch-name"
        type="text"
        aria-label={t('Name of the branch')}
        defaultValue={title}
        placeholder={branchNames(whole)[shown]}
        onBlur={(event) => nameBranch(session, event.target.value.trim())}
        onKeyDown={(event) => event.key === 'Enter' && nameBranch(session, event.currentTarget.value.trim())}
      />
      <Button
        className="button small"
        onClick={() => {
          void removeBranch(session, shown)
          document.querySelector<HTMLElement>('.tools > button')?.focus()
        }}
        text={t('Delete branch')}
      />
    </>
  )
}
