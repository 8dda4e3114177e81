import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { isPlayable } from '../../../runs/study/byHand.ts'
import type { Goal } from '../../../scenario/link/opening.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import type { Preset } from '../../../scenario/presets/preset.ts'
import { openScenario } from '../../session/run/runStore.ts'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { beatStore } from './beatStore.ts'
import { begin } from './game.ts'
import { Target } from './Target.tsx'

/** What the game is about, and the scenario to play it on. */
export function BeatStart() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const toBeat = useStore(beatStore(session), (state) => state.toBeat)
  const [goal, setGoal] = useState<Goal>(toBeat?.goal ?? 'makespan')
  const playable = usePlayable(scenario)
  const levels = useLevels()
  return (
    <>
      <p>
        {t(
          'Time stands still whenever workers are free and there is something to choose. You see what the scheduler sees, queues and past service times, and say where they go. Then your run is held against the policies, with the same luck.',
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
          <button type="button" className="button lesson-next" onClick={() => void begin(session, toBeat?.goal ?? goal)}>
            {t('Begin')}
          </button>
        </div>
      ) : (
        <p className="soft">{t('{title} is no game: {reason}.', { title: scenario.title || t('This scenario'), reason: playable.reason })}</p>
      )}
      <p className="beat-levels-head">{t('Made for it, from easy to hard')}</p>
      <ol className="beat-levels">
        {levels.map(({ key, title, about, scenario: its }) => (
          <li key={key}>
            <button
              type="button"
              onClick={() => {
                // The challenge is about its own scenario only.
                beatStore(session).setState({ toBeat: null })
                openScenario(session, its, 'simulation')
                void begin(session, goal)
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

/** Returns whether the scenario can be played as a game; null until that is known. */
function usePlayable(scenario: Scenario) {
  const [known, setKnown] = useState<{ readonly scenario: Scenario; readonly playable: Awaited<ReturnType<typeof isPlayable>> } | null>(null)
  useEffect(() => {
    let gone = false
    void isPlayable(scenario).then((playable) => !gone && setKnown({ scenario, playable }))
    return () => {
      gone = true
    }
  }, [scenario])
  return known?.scenario === scenario ? known.playable : null
}

function useLevels(): readonly Preset[] {
  const [levels, setLevels] = useState<readonly Preset[]>([])
  useEffect(() => {
    void Promise.all([import('../../../scenario/presets/presets.ts'), import('../../../scenario/presets/games.ts')]).then(([{ presetOf }, { games }]) =>
      setLevels([...['worked-example', 'six-through-three'].flatMap((key) => presetOf(key) ?? []), ...games]),
    )
  }, [])
  return levels
}
