import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Legend } from '../../base/page/Legend.tsx'
import { FeaturePanels, openerOf } from '../../session/features/features.tsx'
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
          ? t('Press Run. Each decision about who works where is explained here, with the calculation.')
          : phase === 'ended' && run.trace.decisions.length === 0
            ? t('In this run no decision was taken.')
            : t('The scheduler has not decided yet at this time. Move the playhead to a later time.')}
      </p>
      {run === null && <Legend />}
      {run !== null && phase === 'ended' && <FeaturePanels place="moreOfDecision" of={{}} />}
      {openFirst != null && (
        <p data-control="lessons">
          {t('New to this?')}{' '}
          <Button className="link" onClick={openFirst} text={t('The first lesson takes four minutes')} />
        </p>
      )}
    </div>
  )
}
