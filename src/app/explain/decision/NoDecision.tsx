import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { openLesson, seemsNew } from '../../session/run/lessonStore.ts'
import { runStore } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'

/** The text that is shown while there is no decision. */
export function NoDecision() {
  const session = useSession()
  const { run } = useStore(runStore(session))
  return (
    <div className="empty-panel">
      <h2>{t('No decision yet')}</h2>
      <p>
        {run === null
          ? t(
              'Press Run. Whenever a worker can take work and a job waits, the scheduler decides who works where; every decision can be read here, with its sum.',
            )
          : t('At this instant the scheduler has not been asked yet. Move on in time.')}
      </p>
      {run === null && seemsNew(session) && (
        <p data-control="lessons">
          {t('New to this?')}{' '}
          <button type="button" className="link" onClick={() => openLesson(session, 'why-a-pipeline')}>
            {t('The first lesson takes four minutes')}
          </button>
        </p>
      )}
    </div>
  )
}
