import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { explainBound } from '../../../measures/figures/lowerBound.ts'
import { type ClassMetrics, workerTimeOf } from '../../../measures/figures/metrics.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { count, duration, fixed, percent, rate, shareOf } from '../../../views/drawing/format.ts'
import { scaleFor } from '../../../views/drawing/scale.ts'
import { Fold } from '../../base/controls/Fold.tsx'
import { StageHead, Table } from '../../base/ui/Table.tsx'
import { Translated } from '../../base/ui/Translated.tsx'
import { Words } from '../../base/words/Words.tsx'
import { useSession } from '../../session/useSession.ts'
import './results.css'
import { themeStore } from '../../base/page/theme.ts'
import { FeaturePanels, usePanels } from '../../session/features/features.tsx'
import { beginsWords } from '../../session/run/runSentences.ts'
import { runStore } from '../../session/run/runStore.ts'
import { type RunResults, useRunResults } from './runResults.ts'

/** The results of an ended run: three answers, and its figures beside those of theory. `printed`: the figures alone, unfolded. */
export function ResultsPanel({ printed = false }: { readonly printed?: boolean }) {
  const shown = useRunResults()
  useStore(themeStore)
  const answered = usePanels('answers').length > 0
  if (shown === null) return <NoFigures />
  const details = (
    <>
      <Whole {...shown} />
      {shown.figures.classes && <Classes classes={shown.figures.classes} />}
      <Stages {...shown} />
      {shown.sections.map(({ Section, found }, k) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the sections of a run stay the same
        <Section key={k} run={shown.run} figures={shown.figures} found={found} />
      ))}
      <Little {...shown} />
    </>
  )
  return (
    <article className="panel-part figures" aria-label={t('Results')}>
      <header>
        <h2>{t('Results')}</h2>
        <span className="soft">
          {t('{completed} of {jobs} jobs out', {
            completed: count(shown.figures.completed),
            jobs: count(shown.figures.jobs),
          })}
        </span>
      </header>
      {shown.run.trace.begins !== null && <p className="warning">{beginsWords(shown.run.trace)}</p>}
      {!printed && <FeaturePanels place="answers" of={shown} />}
      {printed ? (
        details
      ) : (
        <Fold id="figures" className="details" head={t('Details')} opens={!answered}>
          {details}
        </Fold>
      )}
    </article>
  )
}

function NoFigures() {
  const session = useSession()
  const phase = useStore(runStore(session), (state) => state.phase)
  return (
    <div className="panel-part">
      <h2>{phase === 'ended' ? t('Calculating the results') : t('No results yet')}</h2>
      {phase !== 'ended' && <p>{t('Press Run. The results appear here when it ends.')}</p>}
    </div>
  )
}

function Whole({ figures, bound, run }: RunResults) {
  const workerTime = workerTimeOf(figures)
  const contended = workerTime > 0 ? figures.contendedTime / workerTime : 0
  // The times of a job have one unit.
  const times = scaleFor(
    [figures.meanFlowTime, figures.p50FlowTime, figures.p99FlowTime, figures.meanWait],
    undefined,
    1,
  )
  const ofJob = (time: number) => `${times.text(time)} ${times.unit}`
  const rows: readonly (readonly [name: string, value: ReactNode])[] = [
    [t('Makespan'), duration(figures.makespan)],
    [t('At least'), duration(bound.time, Math.floor)],
    [t('Throughput'), rate(figures.throughput)],
    [t('Flow time, mean'), ofJob(figures.meanFlowTime)],
    [t('median'), ofJob(figures.p50FlowTime)],
    [t('99% are below'), ofJob(figures.p99FlowTime)],
    // Parts of one job wait at the same time, so their waits may add up to more than the job took.
    [run.trace.topology.copies ? t('Wait of all parts, mean') : t('Wait, mean'), ofJob(figures.meanWait)],
    [t('Jobs in the system'), number(figures.meanJobsInSystem)],
    [t('Utilisation'), percent(figures.utilisation)],
    ...(run.scenario.stages.some(({ resource }) => resource !== null)
      ? [[t('In line for a resource'), percent(contended)] as const]
      : []),
    [t('Changes of stage'), count(figures.switches)],
    [t('Out of order'), count(figures.reordered)],
    ...(figures.gaveUp !== undefined && figures.tries !== undefined
      ? [
          [
            t('Given up by clients'),
            `${count(figures.gaveUp)} (${percent(figures.gaveUp / Math.max(1, figures.jobs))})`,
          ] as const,
          [t('Tries'), count(figures.tries)] as const,
        ]
      : []),
    ...(figures.failed > 0 ? [[t('Failed'), count(figures.failed)] as const] : []),
  ]
  const drained = run.trace.ending === 'drained'
  return (
    <section>
      <table className="facts">
        <tbody>
          {rows.map(([name, value]) => (
            <tr key={name} className={name === 'median' || name === '99% are below' ? 'part' : undefined}>
              <th scope="row">
                <Words text={name} />
              </th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="soft note">
        {drained ? explainBound(bound, duration) : t('The run did not finish. Only jobs that left count.')}
      </p>
    </section>
  )
}

function Stages({ figures: { stages }, run }: RunResults) {
  const wait = scaleFor(stages.map(({ meanWait }) => meanWait))
  const service = scaleFor(stages.map(({ meanService }) => meanService))
  return (
    <section>
      <h3>{t('Stage by stage')}</h3>
      <Table
        wide={t('Stage by stage')}
        className="stages"
        heads={[
          t('Stage'),
          t('busy'),
          t('mean queue'),
          t('wait {unit}', { unit: wait.unit }),
          t('takes {unit}', { unit: service.unit }),
        ]}
      >
        {stageNumbers(run.scenario).map((s) => (
          <tr key={s}>
            <StageHead stage={s} name={run.scenario.stages[s].name} />
            <td>{shareOf(stages[s].ownUtilisation, stages[s].workers, 0)}</td>
            <td title={t('At most {n}', { n: count(stages[s].maxQueue) })}>{number(stages[s].meanQueue)}</td>
            <td>{wait.text(stages[s].meanWait)}</td>
            <td>{service.text(stages[s].meanService)}</td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

function Classes({ classes }: { readonly classes: readonly ClassMetrics[] }) {
  const { unit, text } = scaleFor(
    classes.flatMap(({ meanWait, p99FlowTime }) => [meanWait, p99FlowTime]),
    undefined,
    1,
  )
  return (
    <section>
      <h3>{t('Class by class')}</h3>
      <Table
        wide={t('Class by class')}
        heads={[
          t('Class'),
          t('jobs'),
          t('wait {unit}', { unit }),
          { text: t('flow {unit}', { unit }), about: t('Flow time, mean') },
          { text: '99%', about: t('99% are below') },
        ]}
      >
        {Array.from(classes.entries(), ([k, { jobs, meanWait, meanFlowTime, p99FlowTime }]) => (
          <tr key={k}>
            <th scope="row">{count(k + 1)}</th>
            <td>{count(jobs)}</td>
            <td>{text(meanWait)}</td>
            <td>{text(meanFlowTime)}</td>
            <td>{text(p99FlowTime)}</td>
          </tr>
        ))}
      </Table>
    </section>
  )
}

/** Little's law (1961) holds for every run that is drained, under any policy. Both sides are added up independently. */
function Little({ figures, run }: RunResults) {
  if (run.trace.ending !== 'drained' || figures.makespan === 0) return null
  const { meanJobsInSystem, meanFlowTime, makespan, jobs } = figures
  const equal = Math.round(meanJobsInSystem * makespan) === Math.round(meanFlowTime * jobs)
  return (
    <section>
      <h3>
        <Words text={t('Little’s law')} />
      </h3>
      <p>
        <Translated
          text="Jobs in the system = jobs per second × flow time: {jobs} = {rate} × {time}, <held></held>."
          values={{ jobs: number(meanJobsInSystem), rate: rate((jobs * 1e6) / makespan), time: duration(meanFlowTime) }}
          tags={{
            held: () => (
              <strong className={equal ? 'good' : 'warning'}>
                {equal ? t('to the microsecond') : t('not equal: please report this')}
              </strong>
            ),
          }}
        />
      </p>
    </section>
  )
}

function number(x: number): string {
  return x < 99.95 ? fixed(x, x < 9.995 ? 2 : 1) : count(x)
}
