import { useStore } from 'zustand'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { duration } from '../../../views/drawing/format.ts'
import { useRivals } from '../../game/scores.ts'
import { classGame } from './gameRound.ts'
import { roomStore } from './roomStore.ts'
import { nameOfDevice } from './roomWords.ts'

/** The scores of the room, the best first, with the scheduler among them and the lower bound below. */
export function ClassBoard({ base, most }: { readonly base: Scenario; readonly most: number }) {
  const session = useSession()
  const { board, refused } = useStore(classGame(session))
  const { devices } = useStore(roomStore(session))
  const rivals = useRivals(base)
  const rule = rivals?.scores.find(({ kind }) => kind === 'leastScore')?.scores.makespan
  const rows = board.slice(0, most).map(({ device, scores }) => ({ key: device, name: nameOfDevice(devices, device), time: scores.makespan, kind: 'player' }))
  const all = [...rows, ...(rule === undefined ? [] : [{ key: '', name: t('The scheduler'), time: rule, kind: 'rule' }])].sort((a, b) => a.time - b.time)
  if (rivals !== null && rivals.bounds.makespan > 0) all.push({ key: 'bound', name: t('Lower bound'), time: rivals.bounds.makespan, kind: 'bound' })
  const longest = Math.max(1, ...all.map(({ time }) => time))
  return (
    <>
      <ol className="class-board" aria-label={t('How long the whole run took')}>
        {all.map(({ key, name, time, kind }) => (
          <li key={`${kind} ${key}`} className={kind}>
            <bdi>{name}</bdi>
            <span>{duration(time)}</span>
            <i style={{ width: `${(100 * time) / longest}%` }} aria-hidden="true" />
          </li>
        ))}
      </ol>
      {board.length > most && <p className="soft">{t('and {n, plural, one {# more} other {# more}}', { n: board.length - most })}</p>}
      {refused > 0 && <p className="soft">{t('{n, plural, one {# game was against the rules.} other {# games were against the rules.}}', { n: refused })}</p>}
    </>
  )
}
