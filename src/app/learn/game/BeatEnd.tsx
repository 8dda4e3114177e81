import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { toShortFragment } from '../../../scenario/link/codec.ts'
import type { ToBeat } from '../../../scenario/link/opening.ts'
import { duration, exactDuration, percent } from '../../../views/drawing/format.ts'
import { CopyField } from '../../base/ui/CopyField.tsx'
import { openScenario, start } from '../../session/run/runStore.ts'
import { useSession } from '../../session/useSession.ts'
import { beatStore } from './beatStore.ts'
import { Differences } from './Differences.tsx'
import { begin, leaveGame, type Playing, showGame, undoMove } from './game.ts'
import { ScoreChart } from './ScoreChart.tsx'
import { type Rivals, useRivals } from './scores.ts'
import { useShowsGame } from './useShowsGame.ts'

/** The result: beside the scores of the policies, and where the player differed from the rule. */
export function BeatEnd({ playing }: { readonly playing: Playing }) {
  const session = useSession()
  const { base, goal, game, run } = playing
  const toBeat = useStore(beatStore(session), (state) => state.toBeat)
  const rivals = useRivals(base)
  const shows = useShowsGame(run)
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    text.current?.focus({ preventScroll: true })
    text.current?.parentElement?.scrollTo(0, 0)
  }, [])
  const score = game.onward[goal]
  return (
    <>
      <div ref={text} className="lesson-seen" tabIndex={-1} aria-live="polite">
        {toBeat !== null && <p className={score < toBeat.score ? 'good' : 'warning'}>{against(score, toBeat)}</p>}
        {rivals !== null && <p>{comparison(playing, rivals)}</p>}
      </div>
      {rivals !== null && <ScoreChart goal={goal} mine={score} rivals={rivals} />}
      <p className="beat-acts">
        <button type="button" className="button lesson-next" onClick={() => void begin(session, goal)}>
          {t('Again')}
        </button>
        <button type="button" className="link" onClick={() => void undoMove(session)}>
          {t('One turn back')}
        </button>
        <button type="button" className="link" onClick={() => leaveGame(session)}>
          {t('Another game')}
        </button>
      </p>
      {!shows && (
        <button type="button" className="link" onClick={() => void showGame(session)}>
          {t('Something else is on the page: show the game again')}
        </button>
      )}
      <Differences playing={playing} />
      <CopyField
        label={t('A challenge: the same jobs, with your score to beat')}
        what={t('the challenge')}
        text={location.origin + location.pathname + toShortFragment(base, { beat: { goal, score } })}
      />
      <button
        type="button"
        className="link"
        onClick={() => {
          openScenario(session, game.scenario, 'simulation')
          void start(session)
        }}
      >
        {t('Put the game on the canvas as a scenario')}
      </button>
    </>
  )
}

function against(mine: number, { goal, score }: ToBeat): string {
  const by = exactDuration(Math.abs(mine - score))
  if (goal === 'makespan') {
    if (mine === score) return t('Exactly the score to beat.')
    return mine < score ? t('Beaten: {by} faster than the score to beat.', { by }) : t('Not beaten: {by} slower than the score to beat.', { by })
  }
  if (mine === score) return t('Exactly the score to beat.')
  return mine < score ? t('Beaten: {by} a job less than the score to beat.', { by }) : t('Not beaten: {by} a job beyond the score to beat.', { by })
}

function comparison({ goal, game }: Playing, { scores, bounds }: Rivals): string {
  const mine = game.onward[goal]
  const rule = scores.find(({ kind }) => kind === 'leastScore')?.scores[goal] ?? mine
  const values = { mine: duration(mine), share: percent(Math.abs(mine - rule) / Math.max(1, rule)), bound: duration(bounds[goal]) }
  if (goal === 'makespan') {
    if (mine === rule) return t('You: {mine}, level with least total time; nobody can be under {bound}.', values)
    return mine > rule
      ? t('You: {mine}, {share} behind least total time; nobody can be under {bound}.', values)
      : t('You: {mine}, {share} ahead of least total time; nobody can be under {bound}.', values)
  }
  const words =
    mine === rule
      ? t('You: {mine} a job, level with least total time.', values)
      : mine > rule
        ? t('You: {mine} a job, {share} behind least total time.', values)
        : t('You: {mine} a job, {share} ahead of least total time.', values)
  return bounds.flow > 0 ? `${words} ${t('Nobody can be under {bound}.', values)}` : words
}
