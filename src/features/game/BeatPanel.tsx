import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../app/base/controls/Button.tsx'
import { useLater } from '../../app/base/page/useLater.ts'
import { PanelFrame } from '../../app/base/ui/PanelFrame.tsx'
import { openScenario } from '../../app/session/run/opening.ts'
import { scenarioStore } from '../../app/session/scenario/scenarioStore.ts'
import { useSession } from '../../app/session/useSession.ts'
import { t } from '../../language/translate.ts'
import type { Goal } from '../../scenario/link/opening.ts'
import { BeatEnd } from './BeatEnd.tsx'
import { BeatTurn, Target } from './BeatTurn.tsx'
import { beatStore } from './beatStore.ts'
import { isPlayable } from './byHand.ts'
import { attendGame, beginGame, closeBeat, gameStore, listenToMoves, type Playing } from './game.ts'
import { goalName, levelsToPlay } from './scores.ts'
import './beat.css'

/** The game beside the pipeline: the player gives the seats, turn by turn. */
export function BeatPanel() {
  const session = useSession()
  const playing = useStore(gameStore(session), (state) => state.playing)
  useEffect(() => attendGame(session), [session])
  useEffect(() => listenToMoves(session), [session])
  return (
    <PanelFrame
      className="lesson beat"
      control="game"
      label={t('Beat the scheduler')}
      count={countOf(playing)}
      title={t('Beat the scheduler')}
      closeLabel={t('Leave the game')}
      onClose={() => closeBeat(session)}
    >
      <div className="lesson-body">
        {playing === null ? (
          <BeatStart />
        ) : playing.game.choice === null ? (
          <BeatEnd playing={playing} />
        ) : (
          <BeatTurn key={playing.moves.length} playing={playing} choice={playing.game.choice} />
        )}
      </div>
    </PanelFrame>
  )
}

function countOf(playing: Playing | null): string {
  if (playing === null || playing.game.choice === null) return ''
  return t('Turn {n, number} of about {all, number}', { n: playing.moves.length + 1, all: playing.game.choices })
}

/** The start of a game: its goal, and the scenario to play. */
function BeatStart() {
  const session = useSession()
  const scenario = useStore(scenarioStore(session), (state) => state.scenario)
  const toBeat = useStore(beatStore(session), (state) => state.toBeat)
  const [goal, setGoal] = useState<Goal>(toBeat?.goal ?? 'makespan')
  const title = scenario.title || t('This scenario')
  const playable = useLater(scenario, isPlayable)
  const levels = useLater('levels', levelsToPlay)
  return (
    <>
      <p>
        {t('Time stops when workers are free. You decide where they go. Then your run is compared with the policies.')}
      </p>
      {toBeat === null ? (
        <fieldset className="beat-goal">
          <legend>{t('Goal')}</legend>
          {(['makespan', 'flow'] as const).map((offered) => (
            <label key={offered}>
              <input type="radio" name="beat-goal" checked={goal === offered} onChange={() => setGoal(offered)} />
              <span>{goalName(offered)}</span>
            </label>
          ))}
        </fieldset>
      ) : (
        <Target toBeat={toBeat} />
      )}
      {playable === null ? null : 'choices' in playable ? (
        <div className="beat-here">
          <Button
            className="button lesson-next"
            onClick={() => void beginGame(session, toBeat?.goal ?? goal)}
            text={t('Begin')}
          />
        </div>
      ) : (
        <p className="soft">{t('{title} cannot be played as a game: {reason}.', { title, reason: playable.reason })}</p>
      )}
      <p className="beat-levels-head">{t('Made for this game, from easy to hard')}</p>
      <ol className="beat-levels">
        {levels?.map(({ key, title: name, scenario: its }) => (
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
              <strong>{name}</strong>
            </button>
          </li>
        ))}
      </ol>
    </>
  )
}
