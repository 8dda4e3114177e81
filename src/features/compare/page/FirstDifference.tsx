import { useMemo, useState } from 'react'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Select, type SelectOption } from '../../../app/base/controls/Select.tsx'
import { Swatch } from '../../../app/base/ui/Table.tsx'
import type { Run } from '../../../app/session/run/runStore.ts'
import { isolated, t } from '../../../language/translate.ts'
import { type FirstDifference, firstDifference } from '../../../measures/decisions/firstDifference.ts'
import { isWhole } from '../../../measures/figures/comparison.ts'
import type { Metrics } from '../../../measures/figures/metrics.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import { clock, count, duration, exactDuration } from '../../../views/drawing/format.ts'
import type { ComparedRun, Entrant } from './comparing.ts'

/** Two runs that are compared row by row; `first` and `second` are the keys of their entrants. */
export interface ComparedPair {
  readonly first: string
  readonly second: string
  readonly runs: readonly [Run, Run]
  readonly difference: FirstDifference | null
  choose(first: string, second: string): void
}

/** Returns the two runs that were chosen, or the first two: these only once all runs are ready. Null if there are fewer than two. */
export function useComparedPair(
  entrants: readonly Entrant[],
  runs: ReadonlyMap<string, ComparedRun>,
  done: boolean,
): ComparedPair | null {
  const drawn = entrants.filter(({ key }) => runs.get(key)?.run).map(({ key }) => key)
  const [chosen, setChosen] = useState<readonly [string | null, string | null]>([null, null])
  const first = drawn.find((key) => key === chosen[0]) ?? drawn[0]
  const second = drawn.find((key) => key === chosen[1] && key !== first) ?? drawn.find((key) => key !== first)
  const [one, other] = [first, second].map((key) => (key === undefined ? null : (runs.get(key)?.run ?? null)))
  const early = !done && chosen[0] === null && drawn.length < entrants.length
  const difference = useMemo(
    () => (one && other && !early ? firstDifference(one.trace, other.trace) : null),
    [one, other, early],
  )
  if (!one || !other || early) return null
  return { first, second: second ?? first, runs: [one, other], difference, choose: (a, b) => setChosen([a, b]) }
}

interface DifferenceProps {
  readonly pair: ComparedPair
  readonly entrants: readonly Entrant[]
  readonly runs: ReadonlyMap<string, ComparedRun>
  open(entrant: Entrant, run: Run, time: Micros): void
}

/** Where two runs differ for the first time, and what followed. */
export function FirstDifferenceNote({ pair, entrants, runs, open }: DifferenceProps) {
  const { first, second, choose } = pair
  const drawn = entrants.filter(({ key }) => runs.get(key)?.run)
  const compared = [first, second].flatMap((key) => runs.get(key) ?? [])
  if (compared.length < 2) return null
  return (
    <section className="parting" aria-label={t('First difference')}>
      <p className="parting-pair">
        <b>{t('First difference')}</b>
        <Select
          aria-label={t('One')}
          value={first}
          options={drawn.map(named)}
          choose={(key) => choose(key, key === second ? first : second)}
        />
        <span aria-hidden="true">–</span>
        <Select
          aria-label={t('Other')}
          value={second}
          options={drawn.filter(({ key }) => key !== first).map(named)}
          choose={(key) => choose(first, key)}
        />
      </p>
      <DifferenceText
        compared={compared}
        names={compared.map(({ key }) => drawn.find((entrant) => entrant.key === key)?.name ?? '')}
        pair={pair}
        open={open}
      />
    </section>
  )
}

const named = ({ key, name }: Entrant): SelectOption<string> => [key, name]

interface DifferenceTextProps extends Pick<DifferenceProps, 'open' | 'pair'> {
  /** Both runs, and their names. */
  readonly compared: readonly ComparedRun[]
  readonly names: readonly string[]
}

function DifferenceText({ compared, names, pair: { difference, runs }, open }: DifferenceTextProps) {
  const [one, other] = names
  if (difference === null) return <p>{t('{one} and {other} are the same run.', { one, other })}</p>
  const [a, b] = compared.map(({ compared }) => compared.metrics)
  return (
    <>
      <p>{differenceWords(difference, names)}</p>
      {difference.by === 'seats' && <Seats difference={difference} names={names} scenario={compared[0].scenario} />}
      <p>{followedWords(a, b)}</p>
      <p className="parting-doors">
        {compared.map((entrant, k) => (
          <Button
            key={entrant.key}
            className="link"
            onClick={() => open(entrant, runs[k], difference.time)}
            text={t('in {name}', { name: names[k] })}
          />
        ))}
      </p>
    </>
  )
}

interface SeatsProps extends Pick<DifferenceTextProps, 'names'> {
  readonly difference: FirstDifference
  readonly scenario: Scenario
}

function Seats({ difference, names, scenario }: SeatsProps) {
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
          {differing.length > 6 && <span>{t('and {more} more', { more: differing.length - 6 })}</span>}
        </li>
      ))}
    </ul>
  )
}

/** Returns until when two runs are the same, and how they differ then. */
export function differenceWords(difference: FirstDifference, names: readonly string[]): string {
  const values = { time: clock(difference.time), parting: sentence(difference, names) }
  return t('Until {time} both runs are the same. {parting}', values)
}

function sentence({ by, decisions: [d, e] }: FirstDifference, names: readonly string[]): string {
  if (by === 'orders') return t('Then, with the same targets, they send, hire or dismiss other workers.')
  if (d < 0 || e < 0) return t('Then only {names} sets targets.', { names: names[d < 0 ? 1 : 0] })
  return t('At decision {d} they set different targets.', { d: count(Math.min(d, e) + 1) })
}

/** Returns how long the two runs took, the time in the system and the moves. */
export function followedWords(a: Metrics, b: Metrics): string {
  const both = (write: (metrics: Metrics) => string) => [a, b].map(write).join(' / ')
  const values = {
    took: both(({ makespan }) => exactDuration(makespan)),
    left: [a, b].every(isWhole) ? '' : t(' (not every job got through)'),
    flowTimes: both(({ meanFlowTime }) => duration(meanFlowTime)),
    moves: both(({ switches }) => count(switches)),
  }
  return t('What followed: took {took}{left}, time in the system {flowTimes}, moves {moves}.', values)
}
