import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Legend } from '../../base/page/Legend.tsx'
import { openerOf } from '../../session/features/features.tsx'
import { runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'

export function NoDecision() {
  const session = useSession()
  const { run, phase } = useStore(runStore(session))
  const openFirst = run === null ? openerOf(session, 'firstLesson')?.(session) : null
  return (
    <div className="panel-part">
      <h2>{t('No decision yet')}</h2>
      <p>
        {run === null
          ? t('Press Run. Each decision is explained here, with the calculation.')
          : phase === 'ended' && run.trace.decisions.length === 0
            ? t('This run has no decisions.')
            : t('Move the playhead to a later time.')}
      </p>
      {run === null && <Legend />}
      {openFirst != null && (
        <p data-control="lessons">
          <Button className="link" onClick={openFirst} text={t('New to this? Take the first lesson (4 min)')} />
        </p>
      )}
    </div>
  )
}
