import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { Output } from '../../../engine/work/payloads.ts'
import { t } from '../../../language/translate.ts'
import { countOf, RELEASED } from '../../../pipeline/rows.ts'
import { type JobOptions, runJob } from '../../../runs/remote/jobThreads.ts'
import { startRun } from '../../../runs/remote/remoteRun.ts'
import { hasCode, type Scenario } from '../../../scenario/model/scenario.ts'
import { countJobs } from '../../../scenario/model/sources.ts'
import { bytes, percent } from '../../../views/drawing/format.ts'
import { download, fileName } from '../../base/browser/files.ts'
import { Button } from '../../base/controls/Button.tsx'
import { Fold } from '../../base/controls/Fold.tsx'
import { pngOf } from '../../session/run/pictures.ts'
import { type Run, runStore } from '../../session/run/runStore.ts'
import { showError } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useJob } from '../../session/study/backgroundJob.ts'
import { useSession } from '../../session/useSession.ts'
import { DeclareTimes } from './DeclareTimes.tsx'

/** The output of a run over a file: its checksum beside that of one worker that does everything in sequence. */
export function OutputPanel() {
  const session = useSession()
  const { output, run } = useStore(runStore(session))
  if (output === null || run === null) return null
  return (
    <article className="panel-fold output" aria-label={t('Output')}>
      <Fold id="output" opens head={<h3>{t('Output')}</h3>} note={output.records === 0 ? undefined : amountOf(output)}>
        {output.records === 0 ? (
          <p>{t('Every job failed. See the status line.')}</p>
        ) : (
          <Made output={output} run={run} />
        )}
      </Fold>
    </article>
  )
}

function Made({ output, run }: { readonly output: Output; readonly run: Run }) {
  return (
    <div className="panel-part">
      <dl>
        <dt>{t('SHA-256 of the output')}</dt>
        <dd>
          <code data-testid="checksum">{output.sha256}</code>
        </dd>
        <dt>{t('One worker in sequence')}</dt>
        <dd>
          <Check expected={output} scenario={run.scenario} />
        </dd>
      </dl>
      <SaveButton output={output} title={run.scenario.title} />
      <DeclareTimes run={run} />
    </div>
  )
}

function SaveButton({ output, title }: { readonly output: Output; readonly title: string }) {
  const session = useSession()
  const { picture, compressed, plain, blob } = output
  if (picture !== null)
    return (
      <Button
        onClick={() => savePicture(session, blob, picture.width, picture.height, title)}
        text={t('Save picture as {kind}', { kind: 'PNG' })}
      />
    )
  return (
    <Button onClick={() => download(fileName(title, compressed ? '.jsonl.gz' : plain ? '.txt' : '.jsonl'), blob)}>
      {t('Download output')}
      {compressed && ' (.gz)'}
    </Button>
  )
}

async function savePicture(
  session: Session,
  pixels: Blob,
  width: number,
  height: number,
  title: string,
): Promise<void> {
  try {
    await download(fileName(title, '.png'), await pngOf(pixels, width, height))
  } catch (error) {
    showError(
      session,
      t('The picture cannot be drawn: {why}', { why: error instanceof Error ? error.message : String(error) }),
    )
  }
}

/** Returns the output of the code of a scenario on one worker alone, which does one job after the other; null if there is none. */
async function outputOfOneWorker(
  session: Session,
  scenario: Scenario,
  { progress, signal }: JobOptions,
): Promise<Output | null> {
  const { file, openStageThreads } = runStore(session).getState()
  const jobs = countJobs(scenario.source)
  let output: Output | null = null
  let released = 0
  const { stop, finished } = startRun(
    'threads',
    { ...scenario, workers: 1, workerEvents: [], later: [], policy: { kind: 'single', lend: false } },
    { file: file ?? undefined },
    {
      journal({ rows }) {
        released += countOf(rows, RELEASED)
        progress?.(released / jobs)
      },
      failure() {},
      output(made) {
        output = made
      },
      ended() {},
    },
    { stageThreads: openStageThreads() },
  )
  signal?.addEventListener('abort', stop)
  await finished
  return output
}

/** Does the work again in one sequence, and compares the checksums. */
function Check({ expected, scenario }: { readonly expected: Output; readonly scenario: Scenario }) {
  const session = useSession()
  const [job, state] = useJob<Output | null>()
  useEffect(() => {
    void job.run((control) =>
      hasCode(scenario)
        ? outputOfOneWorker(session, scenario, control)
        : runJob('runInSequence', { scenario, file: runStore(session).getState().file }, control),
    )
    return job.cancel
  }, [job, scenario, session])
  if (state.phase === 'failed') return <span className="warning">{state.sentence}</span>
  if (state.phase !== 'done' || state.result === null) {
    const progress = state.phase === 'running' ? state.progress : 0
    return <progress value={progress} max={1} aria-label={t('One worker in sequence')} title={percent(progress, 0)} />
  }
  const { sha256 } = state.result
  const equal = sha256 === expected.sha256
  return (
    <>
      <code>{sha256}</code>
      <strong className={equal ? 'good' : 'warning'}>
        {equal ? t('Equal: the same bytes in the same order.') : t('Different: not the same bytes in the same order.')}
      </strong>
    </>
  )
}

/** Returns how many records or tiles an output has, and its size. */
function amountOf({ picture, records, bytes: all }: Output) {
  const values = { n: records, size: bytes(all) }
  return picture === null
    ? t('{n, plural, one {# record} other {# records}}, {size}', values)
    : t('{n, plural, one {# tile} other {# tiles}}, {size}', values)
}
