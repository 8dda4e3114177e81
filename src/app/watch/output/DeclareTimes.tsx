import { t } from '../../../language/translate.ts'
import { withMeasuredServices } from '../../../measures/figures/serviceCosts.ts'
import { Button } from '../../base/controls/Button.tsx'
import type { Run } from '../../session/run/runStore.ts'
import { editOrShowProblems } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'

/** Makes the times that a run measured those of the scenario. */
export function DeclareTimes({ run }: { readonly run: Run }) {
  const session = useSession()
  return (
    <Button
      title={t('The simulation then predicts these workers')}
      onClick={() => editOrShowProblems(session, (now) => withMeasuredServices(now, run.trace))}
      text={t('Declare the times measured')}
    />
  )
}
