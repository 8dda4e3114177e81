import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../app/base/controls/Button.tsx'
import { CopyField } from '../../app/base/ui/CopyField.tsx'
import { linkTo } from '../../app/session/address.ts'
import { openScenario, start } from '../../app/session/run/runStore.ts'
import { useSession } from '../../app/session/useSession.ts'
import { t } from '../../language/translate.ts'
import { toShortFragment } from '../../scenario/link/codec.ts'
import { beatStore } from './beatStore.ts'
import { Differences } from './Differences.tsx'
import { beginGame, leaveGame, type Playing, undoMove } from './game.ts'
import { ScoreChart } from './ScoreChart.tsx'
import { ShowGame } from './ShowGame.tsx'
import { useRivals } from './scores.ts'
import { againstWords, comparisonWords } from './scoreWords.ts'

/** The result: beside the scores of the policies, and where the player differed from the rule. */
export function BeatEnd({ playing }: { readonly playing: Playing }) {
  const session = useSession()
  const { base, goal, game, run } = playing
  const toBeat = useStore(beatStore(session), (state) => state.toBeat)
  const rivals = useRivals(base)
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    text.current?.focus({ preventScroll: true })
    text.current?.parentElement?.scrollTo(0, 0)
  }, [])
  const score = game.onward[goal]
  return (
    <>
      <div ref={text} className="lesson-seen" tabIndex={-1} aria-live="polite">
        {toBeat !== null && <p className={score < toBeat.score ? 'good' : 'warning'}>{againstWords(score, toBeat)}</p>}
        {rivals !== null && <p>{comparisonWords(playing, rivals)}</p>}
      </div>
      {rivals !== null && <ScoreChart goal={goal} mine={score} rivals={rivals} />}
      <p className="beat-acts">
        <Button className="button lesson-next" onClick={() => void beginGame(session, goal)} text={t('Again')} />
        <Button className="link" onClick={() => void undoMove(session)} text={t('One turn back')} />
        <Button className="link" onClick={() => leaveGame(session)} text={t('Another game')} />
      </p>
      <ShowGame run={run} />
      <Differences playing={playing} />
      <CopyField
        label={t('A challenge: the same jobs, with your score to beat')}
        what={t('the challenge')}
        text={linkTo(session.address, toShortFragment(base, { beat: { goal, score } }))}
      />
      <Button
        className="link"
        onClick={() => {
          openScenario(session, game.scenario, 'simulation')
          void start(session)
        }}
        text={t('Put the game on the canvas as a scenario')}
      />
    </>
  )
}
