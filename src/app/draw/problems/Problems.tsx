import { Suspense } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { Button } from '../../base/controls/Button.tsx'
import { dismissProblems, scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { ProblemList } from './ProblemList.tsx'

/** Why an edit was refused, and what is wrong with the draft. */
export function Problems() {
  const session = useSession()
  const store = scenarioStore(session)
  const problems = useStore(store, (state) => state.problems)
  const inPart = useStore(store, (state) => state.inPart)
  const draftProblems = useStore(store, (state) => state.draftProblems)
  return (
    <div
      className="problems"
      role="alert"
      hidden={problems.length + draftProblems.length === 0}
      data-refused={problems.length > 0}
    >
      <Suspense>
        {problems.length > 0 && (
          <>
            <ProblemList problems={problems} />
            <p>{inPart ? t('The rest applies.') : t('Nothing was changed.')}</p>
            <Button className="icon" aria-label={t('Dismiss')} onClick={() => dismissProblems(session)} text="×" />
          </>
        )}
        {draftProblems.length > 0 && (
          <>
            <ProblemList problems={draftProblems} drawn />
            <p>{t('Fix this to run the pipeline.')}</p>
          </>
        )}
      </Suspense>
    </div>
  )
}
