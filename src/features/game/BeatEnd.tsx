import { sum } from 'd3-array'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../app/base/controls/Button.tsx'
import { useLater } from '../../app/base/page/useLater.ts'
import { CopyField } from '../../app/base/ui/CopyField.tsx'
import { linkTo } from '../../app/session/address.ts'
import { goTo } from '../../app/session/page/playhead.ts'
import { openPanel } from '../../app/session/page/showing.ts'
import { openScenario } from '../../app/session/run/opening.ts'
import { start } from '../../app/session/run/startStop.ts'
import type { Session } from '../../app/session/session.ts'
import { useSession } from '../../app/session/useSession.ts'
import { isolated, t } from '../../language/translate.ts'
import { toShortFragment } from '../../scenario/link/codec.ts'
import type { Goal } from '../../scenario/link/opening.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { clock, duration } from '../../views/drawing/format.ts'
import { ShowGame } from './BeatTurn.tsx'
import { beatStore } from './beatStore.ts'
import type { SeatChoice } from './byHand.ts'
import { beginGame, leaveGame, type Playing, showGame, undoMove } from './game.ts'
import { comparisonWords, goalName, playRivals, type Rivals, toBeatWords } from './scores.ts'

/** The result: the score beside those of the policies, and where the player chose differently. */
export function BeatEnd({ playing }: { readonly playing: Playing }) {
  const session = useSession()
  const { base, goal, game, run } = playing
  const toBeat = useStore(beatStore(session), (state) => state.toBeat)
  const rivals = useLater(base, playRivals)
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => {
    text.current?.focus({ preventScroll: true })
    text.current?.parentElement?.scrollTo(0, 0)
  }, [])
  const score = game.onward[goal]
  return (
    <>
      <div ref={text} className="lesson-seen" tabIndex={-1} aria-live="polite">
        {toBeat !== null && <p className={score < toBeat.score ? 'good' : 'warning'}>{toBeatWords(score, toBeat)}</p>}
        {rivals !== null && <p>{comparisonWords(playing, rivals)}</p>}
      </div>
      {rivals !== null && <ScoreChart goal={goal} mine={score} rivals={rivals} />}
      <p className="beat-acts">
        <Button className="button lesson-next" onClick={() => void beginGame(session, goal)} text={t('Again')} />
        <Button className="link" onClick={() => void undoMove(session)} text={t('Undo')} />
        <Button className="link" onClick={() => leaveGame(session)} text={t('Choose another game')} />
      </p>
      <ShowGame run={run} />
      <Differences playing={playing} />
      <CopyField
        label={t('A challenge: the same jobs, with your score to beat')}
        text={linkTo(session.address, toShortFragment(base, { beat: { goal, score } }))}
      />
      <Button
        className="link"
        onClick={() => {
          openScenario(session, game.scenario, 'simulation')
          void start(session)
        }}
        text={t('Open the game as a scenario')}
      />
    </>
  )
}

/** A bar for each score, the best first, and the lower bound below. */
function ScoreChart({
  goal,
  mine,
  rivals: { scores, bounds },
}: {
  readonly goal: Goal
  readonly mine: number
  readonly rivals: Rivals
}) {
  const bars = [
    { key: 'you', name: t('You'), score: mine },
    ...scores.map(({ kind, name, scores: its }) => ({ key: kind as string, name, score: its[goal] })),
  ].sort((a, b) => a.score - b.score)
  if (bounds[goal] > 0) bars.push({ key: 'bound', name: t('Lower bound'), score: bounds[goal] })
  const longest = Math.max(1, ...bars.map(({ score }) => score))
  return (
    <ol className="beat-chart" aria-label={goalName(goal)}>
      {bars.map(({ key, name, score }) => (
        <li key={key} className={key}>
          <span className="beat-name">{name}</span>
          <span className="beat-score">{duration(score, key === 'bound' ? Math.floor : undefined)}</span>
          <span className="beat-bar" style={{ width: `${(100 * score) / longest}%` }} aria-hidden="true" />
        </li>
      ))}
    </ol>
  )
}

/** The turns in which the player differed from the policy, and the effect of each on the score if the policy continued from there. */
function Differences({ playing }: { readonly playing: Playing }) {
  const session = useSession()
  const { base, goal, moves, game } = playing
  const rows = moves
    .map(({ choice, sent, onward }, k) => ({
      n: k + 1,
      choice,
      sent,
      by: (moves[k + 1]?.onward ?? game.onward)[goal] - onward[goal],
    }))
    .filter(({ choice, sent }) => sent.some((n, s) => n !== choice.rule[s]))
  if (rows.length === 0) return <p>{t('You always chose like least total time.')}</p>
  return (
    <section className="beat-differences" aria-label={t('Where you chose differently')}>
      <h3>{t('Where you chose differently')}</h3>
      <ol>
        {rows.map(({ n, choice, sent, by }) => (
          <li key={n}>
            <button type="button" onClick={() => void showTurn(session, choice.time)}>
              <strong>{t('Turn {n, number} at {time}', { n, time: clock(choice.time) })}</strong>
              {by === 0 && <span className="soft">{t('no difference')}</span>}
              {by < 0 && <span className="good">{t('won {by}', { by: duration(-by) })}</span>}
              {by > 0 && <span className="warning">{t('lost {by}', { by: duration(by) })}</span>}
              <span className="soft">
                {t('You: {mine}. The policy: {rule}.', {
                  mine: wordsOf(base, choice, sent),
                  rule: wordsOf(base, choice, choice.rule),
                })}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

async function showTurn(session: Session, time: number): Promise<void> {
  await showGame(session)
  openPanel(session, 'decision')
  goTo(session, time)
}

function wordsOf({ stages }: Scenario, { free }: SeatChoice, sent: readonly number[]): string {
  const words = stages.flatMap(({ name }, s) =>
    sent[s] === 0 ? [] : [sent[s] === 1 ? isolated(name) : `${isolated(name)} × ${sent[s]}`],
  )
  const waiting = free - sum(sent)
  if (waiting > 0) words.push(t('{n, number} waiting', { n: waiting }))
  return words.join(', ')
}
