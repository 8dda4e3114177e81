import { openPanel } from '../../app/session/run/panelStore.ts'
import { goTo } from '../../app/session/run/playhead.ts'
import type { Session } from '../../app/session/session.ts'
import { useSession } from '../../app/session/useSession.ts'
import { isolated } from '../../language/isolated.ts'
import { t } from '../../language/translate.ts'
import type { SeatChoice } from '../../runs/study/byHand.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import { clock, duration } from '../../views/drawing/format.ts'
import { type Playing, showGame } from './game.ts'

/** The turns in which the player differed from the policy, and what each changed: the score if the policy continued from there. */
export function Differences({ playing }: { readonly playing: Playing }) {
  const session = useSession()
  const { base, goal, moves, game } = playing
  const rows = moves.flatMap(({ choice, sent, onward }, k) => {
    if (sent.every((n, s) => n === choice.rule[s])) return []
    return [{ n: k + 1, choice, sent, by: (moves[k + 1]?.onward ?? game.onward)[goal] - onward[goal] }]
  })
  if (rows.length === 0) return <p>{t('You chose as least total time would have, every time.')}</p>
  return (
    <section className="beat-differences" aria-label={t('Where you chose differently')}>
      <h3>{t('Where you chose differently')}</h3>
      <ol>
        {rows.map(({ n, choice, sent, by }) => (
          <li key={n}>
            <button type="button" onClick={() => void look(session, choice.time)}>
              <strong>{t('Turn {n, number} at {time}', { n, time: clock(choice.time) })}</strong>
              <span className={by < 0 ? 'good' : by > 0 ? 'warning' : 'soft'}>{effect(by)}</span>
              <span className="soft">
                {t('You: {mine}. The policy: {rule}.', { mine: wordsOf(base, choice, sent), rule: wordsOf(base, choice, choice.rule) })}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Shows the game at that instant, with the decision open. */
async function look(session: Session, time: number): Promise<void> {
  await showGame(session)
  openPanel(session, 'decision')
  goTo(session, time)
}

function effect(by: number): string {
  if (by === 0) return t('no difference')
  return by < 0 ? t('won {by}', { by: duration(-by) }) : t('lost {by}', { by: duration(by) })
}

function wordsOf({ stages }: Scenario, { free }: SeatChoice, sent: readonly number[]): string {
  const words = stages.flatMap(({ name }, s) => (sent[s] === 0 ? [] : [sent[s] === 1 ? isolated(name) : `${isolated(name)} × ${sent[s]}`]))
  const waiting = free - sent.reduce((sum, n) => sum + n, 0)
  if (waiting > 0) words.push(t('{n, plural, one {# waits} other {# wait}}', { n: waiting }))
  return words.join(', ')
}
