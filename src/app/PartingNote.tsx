import { useMemo, useState } from 'react'
import { firstParting, type Parting } from '../measures/parting.ts'
import { lineNumbers } from '../scenario/line.ts'
import type { Micros, Scenario } from '../scenario/scenario.ts'
import { counted } from '../scenario/words.ts'
import { change, clock, count, duration, precisely } from '../views/format.ts'
import type { ComparedRun, Entrant } from './comparing.ts'
import type { Run } from './runStore.ts'
import { Swatch } from './Swatch.tsx'

interface PartingProps {
  readonly entrants: readonly Entrant[]
  readonly runs: ReadonlyMap<string, ComparedRun>
  readonly done: boolean
  /** Puts the run of one on the page, at an instant. */
  open(entrant: Entrant, run: Run, time: Micros): void
}

/** Where two of them part for the first time, and what followed. */
export function PartingNote({ entrants, runs, done, open }: PartingProps) {
  const drawn = entrants.filter(({ key }) => runs.get(key)?.run)
  const there = drawn.map(({ key }) => key)
  const [pair, setPair] = useState<readonly [string | null, string | null]>([null, null])
  const first = pair[0] !== null && there.includes(pair[0]) ? pair[0] : there[0]
  const second = pair[1] !== null && there.includes(pair[1]) && pair[1] !== first ? pair[1] : there.find((key) => key !== first)
  const [a, b] = [first === undefined ? undefined : runs.get(first), second === undefined ? undefined : runs.get(second)]
  if (first === undefined || second === undefined || !a?.run || !b?.run || (!done && pair[0] === null && there.length < entrants.length)) return null
  return (
    <section className="parting" aria-label="Where they part">
      <p className="parting-pair">
        <b>Where they part</b>
        <Pick label="One" value={first} options={drawn} choose={(key) => setPair([key, key === second ? first : second])} />
        <span aria-hidden="true">–</span>
        <Pick label="Other" value={second} options={drawn.filter(({ key }) => key !== first)} choose={(key) => setPair([first, key])} />
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

interface ToldProps extends Pick<PartingProps, 'open'> {
  readonly a: ComparedRun
  readonly b: ComparedRun
  readonly names: readonly string[]
  readonly runs: readonly [Run, Run]
}

function Told({ a, b, names, runs: [one, other], open }: ToldProps) {
  const parting = useMemo(() => firstParting(one.trace, other.trace), [one, other])
  if (parting === null)
    return (
      <p>
        They never part: row for row {names[0]} and {names[1]} are one run.
      </p>
    )
  return (
    <>
      <p>
        Until {clock(parting.time)} both runs are the same, row for row. {sentence(parting, names, a.scenario)}
      </p>
      {parting.by === 'seats' && <Seats parting={parting} names={names} scenario={a.scenario} />}
      <p>What followed: {followed(a, b, names)}</p>
      <p className="parting-doors">
        <button type="button" className="link" onClick={() => open(a, one, parting.time)}>
          Go there in {names[0]}
        </button>
        <button type="button" className="link" onClick={() => open(b, other, parting.time)}>
          in {names[1]}
        </button>
      </p>
    </>
  )
}

function sentence({ by, decisions: [d, e], sameBallot }: Parting, names: readonly string[], scenario: Scenario): string {
  const told = (decision: number) => `decision ${count(decision + 1)}`
  if (by === 'orders') {
    const after = d < 0 ? 'before any decision' : `after ${told(d)}`
    return `Then, ${after}, the seats being the same, they send, hire or dismiss other workers.`
  }
  if (d < 0 || e < 0) return `Then only ${names[d < 0 ? 1 : 0]} gives out seats.`
  const what = sameBallot ? `the same ${scenario.stages.length === 1 ? 'queue' : 'queues'} and the same beliefs` : 'what each was asked'
  return d === e ? `At ${told(d)}, on ${what}, they give different seats.` : `Then (${told(d)} of the one, ${told(e)} of the other) they give different seats.`
}

function Seats({ parting, names, scenario }: { readonly parting: Parting; readonly names: readonly string[]; readonly scenario: Scenario }) {
  const line = lineNumbers(scenario)
  const differing = line.filter((s) => parting.seats[0][s] !== parting.seats[1][s])
  return (
    <ul className="parting-seats">
      {names.map((name, side) => (
        <li key={name}>
          <b>{name}</b>
          {differing.slice(0, 6).map((s) => (
            <span key={s}>
              <Swatch stage={s} />
              {scenario.stages[s].name} {parting.seats[side][s]}
            </span>
          ))}
          {differing.length > 6 && <span>and {counted(differing.length - 6, 'more stage')}</span>}
        </li>
      ))}
    </ul>
  )
}

/** What became of it at the end: the difference in makespan, in flow time and in moves. */
function followed(a: ComparedRun, b: ComparedRun, names: readonly string[]): string {
  const [x, y] = [a.compared.figures, b.compared.figures]
  const gap = y.makespan - x.makespan
  const left = [x, y].some(({ jobs, completed }) => completed < jobs) ? ' (not every job got through)' : ''
  const makespan =
    gap === 0
      ? `both end after ${precisely(x.makespan)}${left};`
      : `${names[gap > 0 ? 0 : 1]} ends ${duration(Math.abs(gap))} sooner, ${precisely(Math.min(x.makespan, y.makespan))} against ${precisely(Math.max(x.makespan, y.makespan))} (${change(Math.abs(gap) / Math.min(x.makespan, y.makespan))})${left};`
  return `${makespan} a job takes ${duration(x.meanFlowTime)} and ${duration(y.meanFlowTime)} on average, workers move ${count(x.switches)} and ${count(y.switches)} times.`
}
