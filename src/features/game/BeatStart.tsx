import { useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../app/base/controls/Button.tsx'
import { useLater } from '../../app/base/page/useLater.ts'
import { openScenario } from '../../app/session/run/runStore.ts'
import { scenarioStore } from '../../app/session/scenario/scenarioStore.ts'
import { useSession } from '../../app/session/useSession.ts'
import { t } from '../../language/translate.ts'
import { isPlayable } from '../../runs/study/byHand.ts'
import type { Goal } from '../../scenario/link/opening.ts'
import { beatStore } from './beatStore.ts'
import { beginGame } from './game.ts'
import { levelsToPlay } from './levels.ts'
import { Target } from './Target.tsx'

/** What the game is about, and the scenario to play it on. */
export function BeatStart() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const toBeat = useStore(beatStore(session), (state) => state.toBeat)
  const [goal, setGoal] = useState<Goal>(toBeat?.goal ?? 'makespan')
  const playable = useLater(scenario, isPlayable)
  const levels = useLater('levels', levelsToPlay)
  return (
    <>
      <p>
        {t(
          'Time stands still whenever workers are free and there is something to choose. You see what the scheduler sees, queues and past service times, and say where they go. Then your run is compared with the policies, with the same random seed.',
        )}
      </p>
      {toBeat === null ? (
        <fieldset className="beat-goal">
          <legend>{t('What counts')}</legend>
          <label>
            <input type="radio" name="beat-goal" checked={goal === 'makespan'} onChange={() => setGoal('makespan')} />
            <span>{t('When all is done')}</span>
          </label>
          <label>
            <input type="radio" name="beat-goal" checked={goal === 'flow'} onChange={() => setGoal('flow')} />
            <span>{t('How long a job is under way, on average')}</span>
          </label>
        </fieldset>
      ) : (
        <Target toBeat={toBeat} />
      )}
      {playable === null ? null : 'choices' in playable ? (
        <div className="beat-here">
          <p>
            {t('{title} asks you {choices, plural, one {about # time} other {about # times}}.', {
              title: scenario.title || t('This scenario'),
              choices: playable.choices,
            })}
          </p>
          <Button className="button lesson-next" onClick={() => void beginGame(session, toBeat?.goal ?? goal)} text={t('Begin')} />
        </div>
      ) : (
        <p className="soft">{t('{title} cannot be played as a game: {reason}.', { title: scenario.title || t('This scenario'), reason: playable.reason })}</p>
      )}
      <p className="beat-levels-head">{t('Made for it, from easy to hard')}</p>
      <ol className="beat-levels">
        {levels?.map(({ key, title, about, scenario: its }) => (
          <li key={key}>
            <button
              type="button"
              onClick={() => {
                // The challenge is about its own scenario only.
                beatStore(session).setState({ toBeat: null })
                openScenario(session, its, 'simulation')
                void beginGame(session, goal)
              }}
            >
              <strong>{title}</strong>
              <span className="soft">{about}</span>
            </button>
          </li>
        ))}
      </ol>
    </>
  )
}
