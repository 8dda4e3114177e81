import { useStore } from 'zustand'
import { say } from '../../../language/say.ts'
import { openLesson, seemsNew } from '../../session/run/lessonStore.ts'
import { runStore } from '../../session/run/runStore.ts'

/** What stands where decisions are read while there is none. */
export function NoDecision() {
  const { run } = useStore(runStore)
  return (
    <div className="empty-panel">
      <h2>{say('No decision yet')}</h2>
      <p>
        {run === null
          ? say(
              'Press Run. Whenever a worker can take work and a job waits, the scheduler decides who works where; every decision can be read here, with its sum.',
            )
          : say('At this instant the scheduler has not been asked yet. Move on in time.')}
      </p>
      {run === null && seemsNew() && (
        <p data-control="lessons">
          {say('New to this?')}{' '}
          <button type="button" className="link" onClick={() => openLesson('why-a-pipeline')}>
            {say('The first lesson takes four minutes')}
          </button>
        </p>
      )}
    </div>
  )
}
