import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { Standing } from '../../../measures/figures/confidence.ts'
import { duration } from '../../../views/drawing/format.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Table } from '../../base/ui/Table.tsx'
import { JobFailure, JobProgress } from '../../session/run/JobProgress.tsx'
import { useStudy } from '../../session/study/useStudy.ts'
import { useSession } from '../../session/useSession.ts'
import { type CheckedEntrant, checkingStore, checkingStudy, isTooLarge, type SeedCheck, seedCounts } from './checking.ts'
import type { Entrant } from './entrants.ts'

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
    <section className="luck" aria-label={t('More than luck?')}>
      <p>
        {check === null && t('One seed is one case: what is best here may be luck.')}{' '}
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
      {large && !running && <p className="soft">{t('So many jobs under so many policies with so many seeds would take minutes. Choose fewer of any.')}</p>}
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
