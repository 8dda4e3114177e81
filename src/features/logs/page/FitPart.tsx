import './fit.css'
import { useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { readable } from '../../../app/base/browser/files.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { currentPalette, themeStore } from '../../../app/base/page/theme.ts'
import { Table } from '../../../app/base/ui/Table.tsx'
import { useDrawing } from '../../../app/base/ui/useDrawing.ts'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { useStudy } from '../../../app/session/study/study.ts'
import { t } from '../../../language/translate.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { fixed, percent } from '../../../views/drawing/format.ts'
import { mountTimePlot } from '../../../views/plots/timePlot.ts'
import type { TimeRange } from '../../../views/timeline/timelineRange.ts'
import { fitBands, logTicks, logTime } from '../draw/logDrawing.ts'
import type { Fit } from '../fit/fitLog.ts'
import { noWorkers } from '../fit/samples.ts'
import { logPart, type SystemLog } from '../read/log.ts'
import { fitStudy } from './fitting.ts'
import { unexplainedSentence } from './fitWords.ts'
import { ScenarioOut, WhatIfPart } from './WhatIfPart.tsx'

interface Props {
  readonly whole: SystemLog
  /** The part of it that is taken; null: all. */
  readonly part: TimeRange | null
  selectRange(part: TimeRange | null): void
  /** Whether the log has numbers of workers. */
  readonly staffed: boolean
  /** Called when a scenario has been put on the canvas. `from`: when its part begins, since the log begins. */
  opened(from: Micros): void
}

/** Makes a scenario that reproduces a log, shows how well it does, and plays the day again with changes. */
export function FitPart({ whole, part, selectRange, staffed, opened }: Props) {
  const log = useMemo(() => (part === null ? whole : logPart(whole, part[0], part[1])), [whole, part])
  const named = ([from, to]: TimeRange) => ({ from: logTime(whole.origin, from), to: logTime(whole.origin, to) })
  const [order, setOrder] = useState<readonly string[] | null>(null)
  const { study, state } = useStudy(fitStudy, { log, order })
  const running = state.phase === 'running'
  const answer = running ? null : state.found
  const unclear = answer?.kind === 'refused' && answer.unclear
  const fitted = answer?.kind === 'fitted'
  const few: TimeRange | null =
    answer?.kind === 'refused' && answer.part
      ? [answer.part[0] + (part?.[0] ?? 0), answer.part[1] + (part?.[0] ?? 0)]
      : null
  // The dialog may have been closed in between.
  const guess = answer?.kind === 'refused' ? answer.guess : undefined
  const names = order ?? (fitted ? answer.fit.stages.map(({ name }) => name) : (guess ?? log.stages))
  const isAsInLog = order === null && names.every((name, k) => name === log.stages[k])
  return (
    <section className="fit" aria-label={t('A scenario of this log')}>
      <h3>{t('A scenario of this log')}</h3>
      {!staffed && <p>{noWorkers()}</p>}
      {staffed && (
        <>
          {part !== null && (
            <p>
              {t('Part: {from} to {to}.', named(part))}{' '}
              <Button className="link" onClick={() => selectRange(null)} text={t('Use the whole log')} />
            </p>
          )}
          {log.stages.length > 1 && <StageOrder names={names} change={setOrder} />}
          {answer?.kind === 'refused' && (
            <p className="problem-list" role="alert">
              {answer.message}
            </p>
          )}
          {few !== null && (
            <Button className="button" onClick={() => selectRange(few)} text={t('Use {from} to {to}', named(few))} />
          )}
          {!running && (
            <div className="fit-row">
              <Button
                className={fitted ? 'button' : 'button run'}
                onClick={() => void study.start({ log, order: isAsInLog && !unclear ? null : names })}
                text={t('Make a scenario of this log')}
              />
            </div>
          )}
          <JobProgress job={study} label={t('A scenario of this log')} />
          <JobFailure job={study} />
          {fitted && <FitResult fit={answer.fit} log={log} opened={() => opened(part?.[0] ?? 0)} />}
        </>
      )}
    </section>
  )
}

/** The stages in the order in which jobs pass them; neighbours can be swapped. */
function StageOrder({ names, change }: { readonly names: readonly string[]; change(names: readonly string[]): void }) {
  const swap = (k: number) => change([...names.slice(0, k - 1), names[k], names[k - 1], ...names.slice(k + 1)])
  return (
    <div className="fit-row">
      <span id="fit-order">{t('Order of the stages:')}</span>
      <ol className="fit-order" aria-labelledby="fit-order">
        {names.map((name, k) => {
          const title =
            k > 0 ? t('Swap {before} and {name}', { before: readable(names[k - 1]), name: readable(name) }) : ''
          return (
            <li key={name}>
              {k > 0 && <Button className="icon" aria-label={title} title={title} onClick={() => swap(k)} text="⇄" />}
              <span dir="auto">{readable(name)}</span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}

/** How well a scenario reproduces a log: the picture, the error of each stage, the unexplained stretches and the assumptions. */
function FitResult({ fit, log, opened }: { readonly fit: Fit; readonly log: SystemLog; opened(): void }) {
  const { scenario, stages, gaps, assumed, runs } = fit
  return (
    <>
      <p aria-live="polite">
        {t('{jobs, plural, one {# job} other {# jobs}}; nearest of {runs, plural, one {# run} other {# runs}}', {
          jobs: countJobs(scenario.source),
          runs,
        })}
      </p>
      <FitPicture fit={fit} log={log} />
      <Table wide={t('Queue')} heads={[t('Queue'), t('in the log'), t('in the run'), t('mean error')]}>
        {stages.map(({ name, logged, run, error }) => (
          <tr key={name}>
            <th scope="row">
              <span dir="auto">{name}</span>
            </th>
            <td>{fixed(logged, 2)}</td>
            <td>{fixed(run, 2)}</td>
            <td>{percent(error, 0)}</td>
          </tr>
        ))}
      </Table>
      {gaps.length > 0 && (
        <div>
          <p>{t('Not explained')}:</p>
          <ul className="fit-list">
            {gaps.map((gap) => (
              <li key={`${gap.name} ${gap.from}`}>{unexplainedSentence(gap, log.origin)}</li>
            ))}
          </ul>
        </div>
      )}
      <div>
        <p>{t('Assumed:')}</p>
        <ul className="fit-list">
          {assumed.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </div>
      <ScenarioOut scenario={scenario} opened={opened} />
      <WhatIfPart fit={fit} log={log} opened={opened} />
    </>
  )
}

/** Each stage's queue of the run over the logged one, with the stretches that the run does not explain. */
function FitPicture({ fit, log }: { readonly fit: Fit; readonly log: SystemLog }) {
  const { time, stages, logged, played, gaps } = fit
  const palette = useStore(themeStore, (state) => state.palette) ?? currentPalette()
  const ticks = useMemo(() => logTicks(log.origin), [log.origin])
  const drawn = stages.map(({ name }, s) => ({
    name,
    colourIndex: log.stages.indexOf(name),
    logged: logged[s],
    run: played[s],
  }))
  const host = useDrawing(
    (element) => mountTimePlot(element),
    (plot) =>
      plot.update({
        palette,
        end: time[time.length - 1],
        playhead: null,
        ticks,
        parts: [fit],
        bands: () => fitBands({ palette, time, gaps, stages: drawn }),
      }),
  )
  return (
    <figure className="fit-picture">
      <figcaption>
        <Key className="fit-logged" name={t('in the log')} />
        <Key className="fit-run" name={t('in the run')} />
        {gaps.length > 0 && <Key className="fit-gap" name={t('Not explained')} />}
      </figcaption>
      <div ref={host} role="img" aria-label={t('Queue')} />
    </figure>
  )
}

function Key({ className, name }: { readonly className: string; readonly name: string }) {
  return (
    <span className={className}>
      <svg width="26" height="12" aria-hidden="true">
        <path d="M1,6H25" />
      </svg>
      {name}
    </span>
  )
}
