import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Table } from '../../../app/base/ui/Table.tsx'
import { part } from '../../../app/session/session.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { study, useStudy } from '../../../app/session/study/study.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { isWhole } from '../../../measures/figures/comparison.ts'
import { type Standing, standingsOf } from '../../../measures/figures/confidence.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { runJobs } from '../../../runs/remote/jobThreads.ts'
import { MAX_SEED } from '../../../scenario/model/limits.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { duration } from '../../../views/drawing/format.ts'
import { type Entrant, entrantsKey } from './entrants.ts'

/** How many other seeds a comparison may be checked with. */
const seedCounts = [10, 20, 50, 100] as const
/** More services take minutes. */
const MAX_SERVICES = 200_000_000

/** What the same comparison came to with other seeds. */
export interface SeedCheck {
  readonly seeds: number
  /** By the key of the entrant. */
  readonly standings: ReadonlyMap<string, CheckedEntrant>
}

interface CheckedEntrant {
  /** In how many runs not every job got through: such an entrant has no standing. */
  readonly unfinished: number
  readonly makespan: Standing | null
  readonly meanFlowTime: Standing | null
}

interface CheckQuestion {
  readonly entrants: readonly Entrant[]
  readonly seeds: number
}

const checkingStore = part(() => createStore<{ readonly seeds: number }>(() => ({ seeds: 20 })))

/** Plays every entrant with the same other seeds, on all cores. A result stays valid when another number of seeds is chosen. */
const checkingStudy = study<CheckQuestion, SeedCheck>({
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

function isTooLarge(entrants: readonly Entrant[], seeds: number): boolean {
  return entrants.reduce((sum, { scenario }) => sum + countJobs(scenario.source) * scenario.stages.length * seeds, 0) > MAX_SERVICES
}

function standingsBy(entrants: readonly Entrant[], metrics: readonly (readonly Metrics[])[]): ReadonlyMap<string, CheckedEntrant> {
  const unfinished = metrics.map((runs) => runs.filter((run) => !isWhole(run)).length)
  const whole = metrics.filter((_, k) => unfinished[k] === 0)
  const [makespans, flowTimes] = (['makespan', 'meanFlowTime'] as const).map((key) =>
    whole.length > 0 ? standingsOf(whole.map((runs) => runs.map((run) => run[key]))) : [],
  )
  let next = 0
  return new Map(
    entrants.map(({ key }, k): readonly [string, CheckedEntrant] => {
      if (unfinished[k] > 0) return [key, { unfinished: unfinished[k], makespan: null, meanFlowTime: null }]
      const place = next++
      return [key, { unfinished: 0, makespan: makespans[place], meanFlowTime: flowTimes[place] }]
    }),
  )
}

type Check = ReturnType<typeof useCheck>

/** Returns the check of these entrants with other seeds. */
export function useCheck(entrants: readonly Entrant[]) {
  const seeds = useStore(checkingStore(useSession()), (state) => state.seeds)
  return { seeds, ...useStudy(checkingStudy, { entrants, seeds }) }
}

/** Whether the differences are more than luck: the same comparison with other seeds. */
export function CheckPart({
  head,
  entrants,
  check: { seeds, study, state, start },
}: {
  readonly head: string
  readonly entrants: readonly Entrant[]
  readonly check: Check
}) {
  const session = useSession()
  const check = state.found
  const running = state.phase === 'running'
  const large = isTooLarge(entrants, seeds)
  return (
    <section className="luck" aria-label={t('More than chance?')}>
      <p>
        {check === null && t('One seed is one case: what is best here may be chance.')}{' '}
        {running ? (
          <JobProgress job={study} label={t('Playing other seeds')} inline />
        ) : (
          <>
            <Button onClick={start} disabled={large} text={check === null ? t('Check with other seeds') : t('Check again')} />{' '}
            <label>
              {t('Seeds')}{' '}
              <select value={seeds} onChange={(event) => checkingStore(session).setState({ seeds: Number(event.target.value) })}>
                {seedCounts.map((n) => (
                  <option key={n}>{n}</option>
                ))}
              </select>
            </label>
          </>
        )}
      </p>
      {large && !running && <p className="soft">{t('This many jobs, policies and seeds would take minutes. Choose fewer of them.')}</p>}
      {state.phase === 'failed' && <JobFailure job={study} />}
      {check !== null && !running && <Standings head={head} entrants={entrants} check={check} />}
    </section>
  )
}

function Standings({ head, entrants, check }: { readonly head: string; readonly entrants: readonly Entrant[]; readonly check: SeedCheck }) {
  const { seeds, standings } = check
  return (
    <>
      <Table wide={t('Standing over {seeds} seeds', { seeds })} heads={[head, t('makespan'), t('behind the best'), t('flow'), t('behind the best, flow')]}>
        {entrants.map(({ key, name }) => {
          const standing = standings.get(key)
          return (
            <tr key={key}>
              <th scope="row">{name}</th>
              {standing === undefined || standing.unfinished > 0 ? <Unfinished seeds={seeds} standing={standing} /> : <Figures standing={standing} />}
            </tr>
          )
        })}
      </Table>
      <p className="soft">
        {t(
          'Each figure is a mean over {seeds} other random seeds, the same for all. In brackets: the 95% interval of the differences, seed by seed (Student’s t). If it contains 0, {seeds} seeds show no difference.',
          { seeds },
        )}
      </p>
    </>
  )
}

function Unfinished({ seeds, standing }: { readonly seeds: number; readonly standing: CheckedEntrant | undefined }) {
  return (
    <td colSpan={4} className="warning">
      {t('In {n} of {seeds} runs not every job got through.', { n: standing?.unfinished ?? 0, seeds })}
    </td>
  )
}

function Figures({ standing: { makespan, meanFlowTime } }: { readonly standing: CheckedEntrant }) {
  return (
    <>
      <StandingCells standing={makespan} />
      <StandingCells standing={meanFlowTime} />
    </>
  )
}

function StandingCells({ standing }: { readonly standing: Standing | null }) {
  if (standing === null) return null
  const { mean, behind, alike } = standing
  return (
    <>
      <td className={alike ? 'best' : undefined}>{duration(mean)}</td>
      <td>
        {behind === null ? t('the best') : alike ? t('no difference shown ({low} to {high})', signed(behind)) : t('{mean} ({low} to {high})', signed(behind))}
      </td>
    </>
  )
}

function signed({ mean, low, high }: { readonly mean: number; readonly low: number; readonly high: number }) {
  const text = (time: number) => (time < 0 ? `−${duration(-time)}` : duration(time))
  return { mean: `+${text(mean)}`, low: text(low), high: text(high) }
}
