import { t } from '../../../language/translate.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import { type BestPossible, whyNoBest } from '../../../runs/study/bestPossible.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { Button } from '../../base/controls/Button.tsx'
import { useLater } from '../../base/page/useLater.ts'
import { showError } from '../../session/run/runStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'
import { runOfJournals } from './runOfJournals.ts'
import { showComparedRun } from './showComparedRun.ts'

/** Returns the least figures that are possible for a scenario; null while they are not known, and where they are not searched. */
export function useBestPossible(scenario: Scenario | null): BestPossible | null {
  const asked = scenario !== null && whyNoBest(scenario) === null ? scenario : null
  return useLater(asked, (each, signal) => runJob('best', each, { signal }).catch(() => null))
}

/** What the row of the best possible means, and its records; or why there is none. */
export function BestNote({ scenario, best }: { readonly scenario: Scenario; readonly best: BestPossible | null }) {
  const session = useSession()
  const reason = whyNoBest(scenario)
  if (reason !== null) return <p className="soft">{t('The best possible schedule is not searched: {reason}.', { reason })}</p>
  if (best === null) return <p className="soft">{t('Searching for the best possible schedule.')}</p>
  const { makespan, meanFlowTime } = best
  const both = [makespan, meanFlowTime]
  return (
    <p className="soft">
      {t(
        'The best possible: the least makespan and the least mean flow time, each of a schedule of its own. It knows every arrival and every service time, and may choose which job is next.',
      )}{' '}
      {both.some(({ time }) => time === null) && <>{t('Where it has no figure there are too many schedules to try them all.')} </>}
      {both.some((best) => best.time !== null && best.scenario === null) && <>{t('A schedule that takes jobs out of turn cannot be shown as a run.')} </>}
      {makespan.scenario !== null && <Show session={session} scenario={makespan.scenario} text={t('Show the one with the least makespan')} />}{' '}
      {meanFlowTime.scenario !== null && <Show session={session} scenario={meanFlowTime.scenario} text={t('Show the one with the least mean flow time')} />}
    </p>
  )
}

function Show({ session, scenario, text }: { readonly session: Session; readonly scenario: Scenario; readonly text: string }) {
  return <Button className="link" onClick={() => void showBest(session, scenario)} text={text} />
}

/** Plays the seats of a best schedule and shows the run from its start. */
async function showBest(session: Session, scenario: Scenario): Promise<void> {
  try {
    const compared = await runJob('compare', { scenario, record: true })
    const note = t('The best possible run, knowing everything.')
    await showComparedRun(session, await runOfJournals(scenario, compared, compared.journals ?? [], note), 0)
  } catch (error) {
    showError(session, (error as Error).message)
  }
}
