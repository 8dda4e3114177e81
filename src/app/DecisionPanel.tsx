import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { type Decision, decisionAt } from '../measures/decision.ts'
import { sentenceOf } from '../measures/sentence.ts'
import type { Verdict } from '../measures/verdicts.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { policies } from '../scheduler/policies.ts'
import { change, clock, count } from '../views/format.ts'
import { stageColour } from '../views/palette.ts'
import { scaleFor } from '../views/scale.ts'
import { DecisionRounds } from './DecisionRounds.tsx'
import { onScene } from './painter.ts'
import { playback } from './playback.ts'
import { type Run, runStore } from './runStore.ts'
import { Swatch } from './Swatch.tsx'
import { currentPalette, themeStore } from './theme.ts'

/** While a run plays the panel is renewed so often: faster nobody can read. */
const EVERY_MS = 140

/** The latest decision at the playhead: what the scheduler saw, how the seats were shared, why. */
export function DecisionPanel() {
  const shown = useShownDecision()
  useStore(themeStore)
  if (shown === null) return <NoDecision />
  const { run, index } = shown
  const decision = decisionAt(run.trace, run.beliefs, index)
  const { scenario } = run.trace
  return (
    <article className="decision" aria-label="Decision">
      <header>
        <h2>Decision {count(index + 1)}</h2>
        <span className="soft">at {clock(decision.time)}</span>
      </header>
      <p className="sentence">
        {sentenceOf(scenario, decision).map((part, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence have no other name
          <Part key={i} part={part} />
        ))}
      </p>
      <Seen scenario={scenario} decision={decision} />
      <DecisionRounds key={scenario.policy.kind} scenario={scenario} decision={decision} />
      <WhyNot scenario={scenario} decision={decision} />
      <Ballot scenario={scenario} decision={decision} />
      {!decision.verified && <p className="warning">What is shown does not match what the scheduler recorded. Please report this.</p>}
    </article>
  )
}

function NoDecision() {
  const { run } = useStore(runStore)
  return (
    <div className="empty-panel">
      <h2>No decision yet</h2>
      <p>
        {run === null
          ? 'Press Run. Whenever a worker can take work and a job waits, the scheduler decides who works where; every decision can be read here, with its sum.'
          : 'At this instant the scheduler has not been asked yet. Move on in time.'}
      </p>
    </div>
  )
}

function useShownDecision(): { run: Run; index: number } | null {
  const [shown, setShown] = useState<{ run: Run; index: number } | null>(null)
  useEffect(() => {
    let last = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = onScene((scene) => {
      clearTimeout(timer)
      const index = scene?.frame.decision ?? -1
      const next = scene === null || index < 0 ? null : { run: scene.run, index }
      const show = () => {
        last = performance.now()
        setShown((now) => (now?.run === next?.run && now?.index === next?.index ? now : next))
      }
      const wait = playback.playing ? EVERY_MS - (performance.now() - last) : 0
      if (wait <= 0) show()
      else timer = setTimeout(show, wait)
    })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [])
  return shown
}

interface Shown {
  readonly scenario: Scenario
  readonly decision: Decision
}

function Part({ part }: { readonly part: { readonly text: string; readonly stage?: number; readonly worker?: number } }) {
  if (part.stage !== undefined) return <strong style={{ color: stageColour(currentPalette(), part.stage).text }}>{part.text}</strong>
  return part.worker === undefined ? part.text : <strong>{part.text}</strong>
}

function Seen({ scenario, decision: { stages } }: Shown) {
  const mean = scaleFor(stages.map((stage) => stage.mean))
  const work = scaleFor(stages.map((stage) => stage.work))
  return (
    <section>
      <h3>What the scheduler saw</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">Stage</th>
            <th scope="col">waiting</th>
            <th scope="col">mean {mean.unit}</th>
            <th scope="col">work {work.unit === mean.unit ? '' : work.unit}</th>
            <th scope="col">seats</th>
          </tr>
        </thead>
        <tbody>
          {scenario.stages.map(({ id, name }, s) => {
            const { waiting, done, measured, seatsAfter, seatsBefore } = stages[s]
            return (
              <tr key={id} className={done ? 'done' : undefined}>
                <th scope="row">
                  <Swatch stage={s} /> <span>{name}</span>
                </th>
                <td>{count(waiting)}</td>
                <td className={measured > 0 ? undefined : 'guess'} title={measured > 0 ? undefined : 'Not measured yet: what the estimator assumes'}>
                  {mean.text(stages[s].mean)}
                </td>
                <td>{work.text(stages[s].work)}</td>
                <td>
                  {seatsAfter !== seatsBefore && !done && <span className="soft">{seatsBefore} → </span>}
                  <strong>{done ? 'done' : seatsAfter}</strong>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function WhyNot({ scenario, decision: { alternative, others } }: Shown) {
  if (others.length === 0) return null
  const { scoreBefore: before, scoreAfter: after } = alternative ?? { scoreBefore: 0, scoreAfter: 0 }
  const { text, unit } = scaleFor([before, after])
  const name = (s: number) => <strong style={{ color: stageColour(currentPalette(), s).text }}>{scenario.stages[s].name}</strong>
  const agree = others.filter((other) => other.agrees).map(ruleName)
  const differ = others.filter((other) => !other.agrees).map(ruleName)
  return (
    <section>
      <h3>Why not?</h3>
      <p>
        {alternative !== null && (
          <>
            Moving one seat from {name(alternative.from)} to {name(alternative.to)} would{' '}
            {text(before) === text(after) ? (
              <>
                not show in the expected time, <strong>{`${text(before)} ${unit}`}</strong>.{' '}
              </>
            ) : (
              <>
                {after > before ? 'raise' : 'lower'} the expected time from <strong>{text(before)}</strong> to <strong>{`${text(after)} ${unit}`}</strong>
                {before > 0 && ` (${change(after / before - 1)})`}.{' '}
              </>
            )}
          </>
        )}
        {agree.length > 0 && `${listing(agree)} ${agree.length === 1 ? 'agrees' : 'agree'} on these votes. `}
        {differ.length > 0 && `${listing(differ)} would seat them otherwise.`}
      </p>
    </section>
  )
}

function Ballot({ scenario, decision: { stages } }: Shown) {
  const total = stages.reduce((sum, { work }) => sum + work, 0)
  if (total === 0) return null
  return (
    <section>
      <h3>Ballot</h3>
      <div className="ballot" role="img" aria-label={scenario.stages.map(({ name }, s) => `${name} ${Math.round((100 * stages[s].work) / total)}%`).join(', ')}>
        {scenario.stages.map(({ id }, s) => (
          <span key={id} style={{ flexGrow: stages[s].work, background: stageColour(currentPalette(), s).fill }} />
        ))}
      </div>
    </section>
  )
}

/** As in the list of policies; of the power family with its power. */
function ruleName({ rule, power }: Verdict): string {
  return rule === 'power' ? `${policies.power.name} ${power}` : policies[rule].name
}

function listing(names: readonly string[]): string {
  return new Intl.ListFormat('en').format(names)
}
