import { useMemo, useState } from 'react'
import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { type FirstDifference, firstDifference } from '../../../measures/decisions/firstDifference.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { clock, count, duration, exactDuration, signedPercent } from '../../../views/drawing/format.ts'
import { Swatch } from '../../base/ui/Swatch.tsx'
import type { Run } from '../../session/run/runStore.ts'
import type { ComparedRun, Entrant } from './entrants.ts'

interface DifferenceProps {
  readonly entrants: readonly Entrant[]
  readonly runs: ReadonlyMap<string, ComparedRun>
  readonly done: boolean
  /** Shows the run of an entrant on the page, at an instant. */
  open(entrant: Entrant, run: Run, time: Micros): void
}

/** Where two runs differ for the first time, and what followed. */
export function FirstDifferenceNote({ entrants, runs, done, open }: DifferenceProps) {
  const drawn = entrants.filter(({ key }) => runs.get(key)?.run)
  const there = drawn.map(({ key }) => key)
  const [pair, setPair] = useState<readonly [string | null, string | null]>([null, null])
  const first = pair[0] !== null && there.includes(pair[0]) ? pair[0] : there[0]
  const second = pair[1] !== null && there.includes(pair[1]) && pair[1] !== first ? pair[1] : there.find((key) => key !== first)
  const [a, b] = [first === undefined ? undefined : runs.get(first), second === undefined ? undefined : runs.get(second)]
  if (first === undefined || second === undefined || !a?.run || !b?.run || (!done && pair[0] === null && there.length < entrants.length)) return null
  return (
    <section className="parting" aria-label={t('Where they part')}>
      <p className="parting-pair">
        <b>{t('Where they part')}</b>
        <Pick label={t('One')} value={first} options={drawn} choose={(key) => setPair([key, key === second ? first : second])} />
        <span aria-hidden="true">–</span>
        <Pick label={t('Other')} value={second} options={drawn.filter(({ key }) => key !== first)} choose={(key) => setPair([first, key])} />
      </p>
      <Told a={a} b={b} names={[a, b].map(({ key }) => drawn.find((entrant) => entrant.key === key)?.name ?? '')} runs={[a.run, b.run]} open={open} />
    </section>
  )
}

interface PickProps {
  readonly label: string
  readonly value: string
  readonly options: readonly Entrant[]
  choose(key: string): void
}

function Pick({ label, value, options, choose }: PickProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => choose(event.target.value)}>
      {options.map(({ key, name }) => (
        <option key={key} value={key}>
          {name}
        </option>
      ))}
    </select>
  )
}

interface ToldProps extends Pick<DifferenceProps, 'open'> {
  readonly a: ComparedRun
  readonly b: ComparedRun
  readonly names: readonly string[]
  readonly runs: readonly [Run, Run]
}

function Told({ a, b, names, runs: [one, other], open }: ToldProps) {
  const difference = useMemo(() => firstDifference(one.trace, other.trace), [one, other])
  if (difference === null) return <p>{t('They never part: row for row {names} and {names2} are one run.', { names: names[0], names2: names[1] })}</p>
  return (
    <>
      <p>
        {t('Until {time} both runs are the same, row for row. {parting}', {
          time: clock(difference.time),
          parting: sentence(difference, names, a.scenario),
        })}
      </p>
      {difference.by === 'seats' && <Seats difference={difference} names={names} scenario={a.scenario} />}
      <p>{t('What followed: {a}', { a: followed(a, b, names) })}</p>
      <p className="parting-doors">
        <button type="button" className="link" onClick={() => open(a, one, difference.time)}>
          {t('Go there in {names}', { names: names[0] })}
        </button>
        <button type="button" className="link" onClick={() => open(b, other, difference.time)}>
          {t('in {names}', { names: names[1] })}
        </button>
      </p>
    </>
  )
}

function sentence({ by, decisions: [d, e], sameBallot }: FirstDifference, names: readonly string[], scenario: Scenario): string {
  const told = (decision: number) => t('decision {decision}', { decision: count(decision + 1) })
  if (by === 'orders') {
    const after = d < 0 ? t('before any decision') : t('after {d}', { d: told(d) })
    return t('Then, {after}, the seats being the same, they send, hire or dismiss other workers.', { after })
  }
  if (d < 0 || e < 0) return t('Then only {names} gives out seats.', { names: names[d < 0 ? 1 : 0] })
  const what = sameBallot ? t('the same {n, plural, one {queue} other {queues}} and the same beliefs', { n: scenario.stages.length }) : t('what each was asked')
  return d === e
    ? t('At {d}, on {what}, they give different seats.', { d: told(d), what })
    : t('Then ({d} of the one, {e} of the other) they give different seats.', { d: told(d), e: told(e) })
}

function Seats({ difference, names, scenario }: { readonly difference: FirstDifference; readonly names: readonly string[]; readonly scenario: Scenario }) {
  const line = stageNumbers(scenario)
  const differing = line.filter((s) => difference.seats[0][s] !== difference.seats[1][s])
  return (
    <ul className="parting-seats">
      {names.map((name, side) => (
        <li key={name}>
          <b>{name}</b>
          {differing.slice(0, 6).map((s) => (
            <span key={s}>
              <Swatch stage={s} />
              {isolated(scenario.stages[s].name)} {difference.seats[side][s]}
            </span>
          ))}
          {differing.length > 6 && <span>{t('and {n, plural, one {# more stage} other {# more stages}}', { n: differing.length - 6 })}</span>}
        </li>
      ))}
    </ul>
  )
}

/** Returns how the two runs ended: makespan, flow time and moves. */
function followed(a: ComparedRun, b: ComparedRun, names: readonly string[]): string {
  const [x, y] = [a.compared.metrics, b.compared.metrics]
  const gap = y.makespan - x.makespan
  const left = [x, y].some(({ jobs, completed }) => completed < jobs) ? t(' (not every job got through)') : ''
  const makespan =
    gap === 0
      ? t('both end after {makespan}{left};', { makespan: exactDuration(x.makespan), left })
      : t('{names} ends {gap} sooner, {makespan} against {makespan2} ({gap2}){left};', {
          names: names[gap > 0 ? 0 : 1],
          gap: duration(Math.abs(gap)),
          makespan: exactDuration(Math.min(x.makespan, y.makespan)),
          makespan2: exactDuration(Math.max(x.makespan, y.makespan)),
          gap2: signedPercent(Math.abs(gap) / Math.min(x.makespan, y.makespan)),
          left,
        })
  return t('{makespan} a job takes {meanFlowTime} and {meanFlowTime2} on average, workers move {switches} and {switches2} times.', {
    makespan,
    meanFlowTime: duration(x.meanFlowTime),
    meanFlowTime2: duration(y.meanFlowTime),
    switches: count(x.switches),
    switches2: count(y.switches),
  })
}
