import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Table } from '../../../app/base/ui/Table.tsx'
import { part } from '../../../app/session/session.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { study, useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { isWhole, type Standing, standingsOf } from '../../../measures/figures/comparison.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { runJobs } from '../../../runs/remote/jobThreads.ts'
import { MAX_SEED } from '../../../scenario/model/limits.ts'
import { duration } from '../../../views/drawing/format.ts'
import { type Entrant, entrantsKey, servicesOf } from './comparing.ts'

const seedCounts = [10, 20, 50, 100] as const
/** More services take minutes. */
const MAX_SERVICES = 200_000_000

/** The result of the same comparison with other seeds. */
export type SeedCheck = { readonly seeds: number; readonly standings: ReadonlyMap<string, CheckedEntrant> }

interface CheckedEntrant {
  /** In how many runs not every job got through: such an entrant has no standing. */
  readonly unfinished: number
  readonly makespan: Standing | null
  readonly meanFlowTime: Standing | null
}

const checkingStore = part(() => createStore<{ readonly seeds: number }>(() => ({ seeds: 20 })))

/** Plays every entrant with the same other seeds, on all cores. A result stays valid when another number of seeds is chosen. */
const checkingStudy = study<{ readonly entrants: readonly Entrant[]; readonly seeds: number }, SeedCheck>({
  key: ({ entrants }) => entrantsKey(entrants),
  async work({ entrants, seeds }, { signal, progress }) {
    const metrics = entrants.map((): Metrics[] => [])
    const plays = Array.from({ length: seeds * entrants.length }, (_, k) => {
      const { scenario } = entrants[k % entrants.length]
      return { ...scenario, seed: (scenario.seed + 1 + Math.floor(k / entrants.length)) % (MAX_SEED + 1) }
    })
    await runJobs('metrics', plays, {
      signal,
      progress,
      answer(k, result) {
        metrics[k % entrants.length][Math.floor(k / entrants.length)] = result
      },
    })
    return { seeds, standings: standingsBy(entrants, metrics) }
  },
})

function standingsBy(entrants: readonly Entrant[], metrics: readonly (readonly Metrics[])[]): SeedCheck['standings'] {
  const whole = metrics.filter((runs) => runs.every(isWhole))
  const of = (key: 'makespan' | 'meanFlowTime') =>
    whole.length > 0 ? standingsOf(whole.map((runs) => runs.map((run) => run[key]))) : []
  const [makespans, flowTimes] = [of('makespan'), of('meanFlowTime')]
  return new Map(
    entrants.map(({ key }, k) => {
      const place = whole.indexOf(metrics[k])
      const unfinished = metrics[k].filter((run) => !isWhole(run)).length
      return [key, { unfinished, makespan: makespans[place] ?? null, meanFlowTime: flowTimes[place] ?? null }] as const
    }),
  )
}

/** Returns the check of these entrants with other seeds. */
export function useCheck(entrants: readonly Entrant[]) {
  const seeds = useStore(checkingStore(useSession()), (state) => state.seeds)
  return { seeds, ...useStudy(checkingStudy, { entrants, seeds }) }
}

interface CheckProps {
  readonly head: string
  readonly entrants: readonly Entrant[]
  readonly check: ReturnType<typeof useCheck>
}

/** Whether the differences are more than chance: the same comparison with other seeds. */
export function CheckPart({ head, entrants, check: { seeds, study, state, start } }: CheckProps) {
  const session = useSession()
  const check = state.found
  const running = state.phase === 'running'
  const large = servicesOf(entrants) * seeds > MAX_SERVICES
  return (
    <section className="luck" aria-label={t('More than chance?')}>
      <p>
        {running ? (
          <JobProgress job={study} inline />
        ) : (
          <>
            <Button onClick={start} disabled={large} text={t('Check with other seeds')} />{' '}
            <label>
              {t('Seeds')}{' '}
              <select
                value={seeds}
                onChange={(event) => checkingStore(session).setState({ seeds: Number(event.target.value) })}
              >
                {seedCounts.map((n) => (
                  <option key={n}>{n}</option>
                ))}
              </select>
            </label>
          </>
        )}
      </p>
      {large && !running && <p className="soft">{t('This would take minutes. Choose fewer seeds or policies.')}</p>}
      <JobFailure job={study} />
      {check !== null && !running && <Standings head={head} entrants={entrants} check={check} />}
    </section>
  )
}

interface StandingsProps extends Omit<CheckProps, 'check'> {
  readonly check: SeedCheck
}

function Standings({ head, entrants, check: { seeds, standings } }: StandingsProps) {
  return (
    <>
      <Table
        wide={t('More than chance?')}
        heads={[head, t('took'), t('behind the best'), t('time in the system'), t('behind the best')]}
      >
        {entrants.map(({ key, name }) => {
          const standing = standings.get(key)
          return (
            <tr key={key}>
              <th scope="row">{name}</th>
              {standing?.makespan && standing.meanFlowTime ? (
                <>
                  <StandingCells {...standing.makespan} />
                  <StandingCells {...standing.meanFlowTime} />
                </>
              ) : (
                <td colSpan={4} className="warning">
                  {t('In {n} of {seeds} runs not every job got through.', { n: standing?.unfinished ?? 0, seeds })}
                </td>
              )}
            </tr>
          )
        })}
      </Table>
      <p className="soft">
        {t('Means over {seeds} other seeds. In brackets: the 95% interval of the difference.', { seeds })}
      </p>
    </>
  )
}

function StandingCells({ mean, behind, alike }: Standing) {
  return (
    <>
      <td className={alike ? 'best' : undefined}>{duration(mean)}</td>
      <td>
        {behind === null
          ? t('the best')
          : alike
            ? t('no difference ({low} to {high})', signed(behind))
            : t('{mean} ({low} to {high})', signed(behind))}
      </td>
    </>
  )
}

function signed({ mean, low, high }: NonNullable<Standing['behind']>) {
  return { mean: `+${duration(mean)}`, low: duration(low), high: duration(high) }
}
