import { type ReactNode, useMemo } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { showBranch } from '../../session/branches/branchStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { entrantsOnBranches } from './branchEntrants.ts'
import { ComparisonView } from './Comparison.tsx'
import { showComparedRun } from './showComparedRun.ts'

/** The original of the scenario and its branches side by side. */
export function BranchComparison({ children }: { readonly children: ReactNode }) {
  const session = useSession()
  const whole = useStore(scenarioStore(session), (state) => state.whole)
  const shown = useStore(scenarioStore(session), (state) => state.shown)
  const entrants = useMemo(() => entrantsOnBranches(whole), [whole])
  const own = shown === null ? '0' : `${shown + 1}`
  return (
    <ComparisonView
      head={t('Branch')}
      entrants={entrants}
      all={entrants}
      own={own}
      call={t('{n, plural, one {# branch} other {# branches}}', { n: entrants.length - 1 })}
      about={t('The original and its branches, in the simulation: the same jobs, at the same times, with the same random seed.')}
      open={(entrant, run, time) => {
        showBranch(session, entrant.key === '0' ? null : Number(entrant.key) - 1)
        void showComparedRun(session, run, time)
      }}
      take={null}
    >
      {children}
    </ComparisonView>
  )
}
