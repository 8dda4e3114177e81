import './fit.css'
import { useState } from 'react'
import { readable } from '../../../app/base/browser/files.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { JobFailure, JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { useStudy } from '../../../app/session/study/study.ts'
import { t } from '../../../language/translate.ts'
import type { SystemLog } from '../read/log.ts'
import { FitResult } from './FitResult.tsx'
import { fitStudy } from './fitting.ts'

interface Props {
  readonly log: SystemLog
  /** Whether the log says how many workers each stage had. */
  readonly staffed: boolean
  /** Called when a scenario has been put on the canvas. */
  opened(): void
}

/** Makes a scenario that reproduces a log, shows how well it does, and plays the day again with changes. */
export function FitPart({ log, staffed, opened }: Props) {
  const [order, setOrder] = useState<readonly string[] | null>(null)
  const { study, state } = useStudy(fitStudy, { log, order })
  const running = state.phase === 'running'
  const answer = running ? null : state.found
  const unclear = answer?.kind === 'refused' && answer.unclear
  // The dialog may have been closed in between.
  const fittedOrder = answer?.kind === 'fitted' ? answer.fit.stages.map(({ name }) => name) : log.stages
  const names = order ?? fittedOrder
  const isAsInLog = names.every((name, k) => name === log.stages[k])
  return (
    <section className="fit" aria-label={t('Scenario of this log')}>
      <h3>{t('A scenario of this log')}</h3>
      <p>
        {t('A scenario that reproduces the log lets you change something and play the same day again: another policy, more workers, a quicker stage.')}
        {!staffed && ` ${t('For this the log needs a column of workers.')}`}
      </p>
      {staffed && (
        <>
          {log.stages.length > 1 && <StageOrder names={names} change={setOrder} />}
          {answer?.kind === 'refused' && (
            <p className="problem-list" role="alert">
              {answer.message}
            </p>
          )}
          {!running && (
            <div className="fit-row">
              <Button
                className={answer?.kind === 'fitted' ? 'button' : 'button run'}
                onClick={() => void study.start({ log, order: isAsInLog && !unclear ? null : names })}
                text={answer?.kind === 'fitted' ? t('Make it again') : unclear ? t('Make it in this order') : t('Make a scenario of this log')}
              />
            </div>
          )}
          {running && <JobProgress job={study} label={t('Making the scenario')} />}
          {state.phase === 'failed' && <JobFailure job={study} />}
          {answer?.kind === 'fitted' && <FitResult fit={answer.fit} log={log} opened={opened} />}
        </>
      )}
    </section>
  )
}

interface OrderProps {
  readonly names: readonly string[]
  change(names: readonly string[]): void
}

/** The stages in the order in which jobs pass them; neighbours can be swapped. */
function StageOrder({ names, change }: OrderProps) {
  const swap = (k: number) => change([...names.slice(0, k - 1), names[k], names[k - 1], ...names.slice(k + 1)])
  return (
    <div className="fit-row">
      <span id="fit-order">{t('Jobs pass the stages in this order:')}</span>
      <ol className="fit-order" aria-labelledby="fit-order">
        {names.map((name, k) => (
          <li key={name}>
            {k > 0 && (
              <Button
                className="icon"
                aria-label={t('Swap {before} and {name}', { before: readable(names[k - 1]), name: readable(name) })}
                title={t('Swap {before} and {name}', { before: readable(names[k - 1]), name: readable(name) })}
                onClick={() => swap(k)}
                text="⇄"
              />
            )}
            <span dir="auto">{readable(name)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}
