import { useMemo, useState } from 'react'
import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { type FirstDifference, firstDifference } from '../../../measures/decisions/firstDifference.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Select, type SelectOption } from '../../base/controls/Select.tsx'
import { Swatch } from '../../base/ui/Table.tsx'
import type { Run } from '../../session/run/runStore.ts'
import { differenceWords, followedWords } from './differenceWords.ts'
import type { ComparedRun, Entrant } from './entrants.ts'

/** Two runs that are compared row by row; `first` and `second` are the keys of their entrants. */
export interface ComparedPair {
  readonly first: string
  readonly second: string
  readonly runs: readonly [Run, Run]
  readonly difference: FirstDifference | null
  choose(first: string, second: string): void
}

/** Returns the two runs that were chosen, or the first two: those once all runs are there. Null where there are no two. */
export function useComparedPair(entrants: readonly Entrant[], runs: ReadonlyMap<string, ComparedRun>, done: boolean): ComparedPair | null {
  const drawn = entrants.filter(({ key }) => runs.get(key)?.run).map(({ key }) => key)
  const [chosen, setChosen] = useState<readonly [string | null, string | null]>([null, null])
  const first = drawn.find((key) => key === chosen[0]) ?? drawn[0]
  const second = drawn.find((key) => key === chosen[1] && key !== first) ?? drawn.find((key) => key !== first)
  const [one, other] = [first, second].map((key) => (key === undefined ? null : (runs.get(key)?.run ?? null)))
  const early = !done && chosen[0] === null && drawn.length < entrants.length
  const difference = useMemo(() => (one && other && !early ? firstDifference(one.trace, other.trace) : null), [one, other, early])
  if (!one || !other || early) return null
  return { first, second: second ?? first, runs: [one, other], difference, choose: (a, b) => setChosen([a, b]) }
}

interface DifferenceProps {
  readonly pair: ComparedPair
  readonly entrants: readonly Entrant[]
  readonly runs: ReadonlyMap<string, ComparedRun>
  /** Shows the run of an entrant on the page, at an instant. */
  open(entrant: Entrant, run: Run, time: Micros): void
}

/** Where two runs differ for the first time, and what followed. */
export function FirstDifferenceNote({ pair, entrants, runs, open }: DifferenceProps) {
  const { first, second, choose } = pair
  const drawn = entrants.filter(({ key }) => runs.get(key)?.run)
  const [a, b] = [runs.get(first), runs.get(second)]
  if (!a || !b) return null
  return (
    <section className="parting" aria-label={t('First difference')}>
      <p className="parting-pair">
        <b>{t('First difference')}</b>
        <Select aria-label={t('One')} value={first} options={drawn.map(named)} choose={(key) => choose(key, key === second ? first : second)} />
        <span aria-hidden="true">–</span>
        <Select aria-label={t('Other')} value={second} options={drawn.filter(({ key }) => key !== first).map(named)} choose={(key) => choose(first, key)} />
      </p>
      <DifferenceText a={a} b={b} names={[a, b].map(({ key }) => drawn.find((entrant) => entrant.key === key)?.name ?? '')} pair={pair} open={open} />
    </section>
  )
}

const named = ({ key, name }: Entrant): SelectOption<string> => [key, name]

interface DifferenceTextProps extends Pick<DifferenceProps, 'open' | 'pair'> {
  readonly a: ComparedRun
  readonly b: ComparedRun
  readonly names: readonly string[]
}

function DifferenceText({ a, b, names, pair, open }: DifferenceTextProps) {
  const {
    difference,
    runs: [one, other],
  } = pair
  if (difference === null)
    return <p>{t('There is no difference: {names} and {names2} are the same run, row by row.', { names: names[0], names2: names[1] })}</p>
  return (
    <>
      <p>{differenceWords(difference, names, a.scenario)}</p>
      {difference.by === 'seats' && <Seats difference={difference} names={names} scenario={a.scenario} />}
      <p>{t('What followed: {a}', { a: followedWords([a.compared.metrics, b.compared.metrics], names) })}</p>
      <p className="parting-doors">
        <Button className="link" onClick={() => open(a, one, difference.time)} text={t('Go there in {names}', { names: names[0] })} />
        <Button className="link" onClick={() => open(b, other, difference.time)} text={t('in {names}', { names: names[1] })} />
      </p>
    </>
  )
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
