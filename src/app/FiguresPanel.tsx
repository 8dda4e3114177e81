import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import type { Figures } from '../measures/figures.ts'
import { explainBound } from '../measures/lowerBound.ts'
import { lineNumbers } from '../scenario/line.ts'
import { count, duration, percent, rate } from '../views/format.ts'
import { scaleFor } from '../views/scale.ts'
import './figures.css'
import { type RunFigures, useRunFigures } from './runFigures.ts'
import { runStore } from './runStore.ts'
import { Swatch } from './Swatch.tsx'
import { TheoryPanel } from './TheoryPanel.tsx'
import { themeStore } from './theme.ts'

/** What a run amounts to, once it has ended; and where theory knows better, what it says. */
export function FiguresPanel() {
  const shown = useRunFigures()
  useStore(themeStore)
  if (shown === null) return <NoFigures />
  return (
    <article className="figures" aria-label="Figures">
      <header>
        <h2>Figures</h2>
        <span className="soft">
          {count(shown.figures.completed)} of {count(shown.figures.jobs)} jobs out
        </span>
      </header>
      <Whole {...shown} />
      <Stages {...shown} />
      <TheoryPanel {...shown} />
      <Little {...shown} />
    </article>
  )
}

function NoFigures() {
  const phase = useStore(runStore, (state) => state.phase)
  return (
    <div className="empty-panel">
      <h2>{phase === 'ended' ? 'Working them out' : 'No figures yet'}</h2>
      <p>
        {phase === 'idle'
          ? 'Press Run. When the run has ended, its figures stand here, and beside them what queueing theory says, where it has a law for the scenario.'
          : phase === 'running'
            ? 'The figures are worked out when the run has ended.'
            : 'A long run takes a moment.'}
      </p>
    </div>
  )
}

function Whole({ figures, bound, run }: RunFigures) {
  const rows: readonly (readonly [name: string, value: ReactNode])[] = [
    ['Makespan', duration(figures.makespan)],
    ['At least', duration(bound.time)],
    ['Throughput', rate(figures.throughput)],
    ['Flow time, mean', duration(figures.meanFlowTime)],
    ['median', duration(figures.p50FlowTime)],
    ['99% are below', duration(figures.p99FlowTime)],
    // Parts of one job wait at the same time: together perhaps longer than the job took.
    [run.trace.topology.copies ? 'Wait of all its parts, mean' : 'Wait, mean', duration(figures.meanWait)],
    ['Jobs in the system', number(figures.meanJobsInSystem)],
    ['Utilisation', percent(figures.utilisation)],
    ...(run.scenario.stages.some(({ resource }) => resource !== null) ? [['In line for a resource', percent(inLine(figures))] as const] : []),
    ['Changes of stage', count(figures.switches)],
    ['Out of order', count(figures.reordered)],
    ...(figures.failed > 0 ? [['Failed', count(figures.failed)] as const] : []),
  ]
  const drained = run.trace.ending === 'drained'
  return (
    <section>
      <table className="facts">
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name} className={name === 'median' || name === '99% are below' ? 'part' : undefined}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="soft note">
        {drained ? explainBound(bound, duration) : 'The run did not come to its end: figures are of what left, the bound of all jobs.'}
      </p>
    </section>
  )
}

/** The share of the workers' time that they stood in line, a job in hand. */
function inLine({ contendedTime, workersOverTime, makespan }: Figures): number {
  const ends = [...workersOverTime.slice(1).map(([time]) => time), makespan]
  const workerTime = workersOverTime.reduce((sum, [time, workers], i) => sum + workers * Math.max(0, ends[i] - time), 0)
  return workerTime > 0 ? contendedTime / workerTime : 0
}

function Stages({ figures: { stages }, run }: RunFigures) {
  const wait = scaleFor(stages.map(({ meanWait }) => meanWait))
  const service = scaleFor(stages.map(({ meanService }) => meanService))
  return (
    <section>
      <h3>Stage by stage</h3>
      <div className="wide-table">
        <table className="stages">
          <thead>
            <tr>
              <th scope="col">Stage</th>
              <th scope="col" title="Share of all workers’ time">
                busy
              </th>
              <th scope="col" title="Mean length">
                queue
              </th>
              <th scope="col">wait {wait.unit}</th>
              <th scope="col">takes {service.unit}</th>
            </tr>
          </thead>
          <tbody>
            {lineNumbers(run.scenario).map((s) => (
              <tr key={s}>
                <th scope="row" title={run.scenario.stages[s].name}>
                  <Swatch stage={s} /> <span>{run.scenario.stages[s].name}</span>
                </th>
                <td>{percent(stages[s].utilisation, 0)}</td>
                <td title={`At most ${count(stages[s].maxQueue)}`}>{number(stages[s].meanQueue)}</td>
                <td>{wait.text(stages[s].meanWait)}</td>
                <td>{service.text(stages[s].meanService)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** Little's law (1961), which holds for every run that is drained, whatever the policy: both sides are added up independently. */
function Little({ figures, run }: RunFigures) {
  if (run.trace.ending !== 'drained' || figures.makespan === 0) return null
  const { meanJobsInSystem, meanFlowTime, makespan, jobs } = figures
  const equal = Math.round(meanJobsInSystem * makespan) === Math.round(meanFlowTime * jobs)
  return (
    <section>
      <h3>Little’s law</h3>
      <p>
        Jobs in the system = jobs per second × flow time: {number(meanJobsInSystem)} = {rate((jobs * 1e6) / makespan)} × {duration(meanFlowTime)},{' '}
        <strong className={equal ? 'good' : 'warning'}>{equal ? 'to the microsecond' : 'which does not hold: please report this'}</strong>. Counted by time on
        the left, by jobs on the right.
      </p>
    </section>
  )
}

/** To three figures or so. */
function number(x: number): string {
  return x < 99.95 ? x.toFixed(x < 9.995 ? 2 : 1) : count(x)
}
