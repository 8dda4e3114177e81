import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { Output } from '../../../engine/work/payloads.ts'
import { t } from '../../../language/translate.ts'
import { measuredServices } from '../../../measures/figures/measuredServices.ts'
import { runJob } from '../../../runs/remote/jobThreads.ts'
import { setService } from '../../../scenario/edit/edits.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { bytes, percent } from '../../../views/drawing/format.ts'
import { download, fileName } from '../../base/browser/download.ts'
import { pngOf } from '../../session/run/pictures.ts'
import { complain, inputFile, type Run, runStore } from '../../session/run/runStore.ts'
import { useJob } from '../../session/run/useJob.ts'
import { editOrRefuse } from '../../session/scenario/scenarioStore.ts'
import type { Session } from '../../session/session.ts'
import { useSession } from '../../session/useSession.ts'

/** What a run over a file has made: its checksum beside that of one worker who does everything in sequence. */
export function OutputPanel() {
  const session = useSession()
  const { output, run } = useStore(runStore(session))
  if (output === null || run === null) return null
  if (output.records === 0) {
    return (
      <article className="output" aria-label={t('Output')}>
        <h2>{t('Output')}</h2>
        <p>
          {output.picture === null
            ? t('Nothing came out: every line failed. The status line says why the first one did.')
            : t('Nothing came out: every tile failed. The status line says why the first one did.')}
        </p>
      </article>
    )
  }
  return (
    <article className="output" aria-label={t('Output')}>
      <header>
        <h2>{t('Output')}</h2>
        <span className="soft">
          {output.picture === null
            ? t('{n, plural, one {# record} other {# records}}, {size}', { n: output.records, size: bytes(output.bytes) })
            : t('{n, plural, one {# tile} other {# tiles}}, {size}', { n: output.records, size: bytes(output.bytes) })}
        </span>
      </header>
      <dl>
        <dt>{output.picture === null ? t('SHA-256 of the output') : t('SHA-256 of the pixels')}</dt>
        <dd>
          <code data-testid="checksum">{output.sha256}</code>
        </dd>
        <dt>{t('One worker, everything in sequence')}</dt>
        <dd>
          <Check expected={output} scenario={run.scenario} />
        </dd>
      </dl>
      <SaveButton output={output} title={run.scenario.title} />
      <button
        type="button"
        className="button"
        title={t('Declares, at every stage, the service times of this run: then the simulation foretells what these threads do')}
        onClick={() => takeMeasured(session, run)}
      >
        {t('Declare the times measured')}
      </button>
    </article>
  )
}

/** Declares the measured service times, at the stages that are still there. */
function takeMeasured(session: Session, { scenario, trace }: Run): void {
  const measured = measuredServices(trace)
  editOrRefuse(session, (now) =>
    scenario.stages.reduce((changed, { id }, s) => {
      const service = measured[s]
      return service === null ? changed : setService(changed, id, service)
    }, now),
  )
}

function SaveButton({ output, title }: { readonly output: Output; readonly title: string }) {
  const session = useSession()
  const { picture, compressed, blob } = output
  return picture === null ? (
    <button type="button" className="button" onClick={() => download(fileName(title, compressed ? '.jsonl.gz' : '.jsonl'), blob)}>
      {t('Download output')}
      {compressed && ' (.gz)'}
    </button>
  ) : (
    <button type="button" className="button" onClick={() => savePicture(session, blob, picture.width, picture.height, title)}>
      {t('Save as PNG')}
    </button>
  )
}

async function savePicture(session: Session, pixels: Blob, width: number, height: number, title: string): Promise<void> {
  try {
    await download(fileName(title, '.png'), await pngOf(pixels, width, height))
  } catch (error) {
    complain(session, t('The picture cannot be saved: {why}', { why: error instanceof Error ? error.message : String(error) }))
  }
}

/** Does the work again in one sequence, and compares the checksums. */
function Check({ expected, scenario }: { readonly expected: Output; readonly scenario: Scenario }) {
  const session = useSession()
  const [job, state] = useJob<Output | null>()
  useEffect(() => {
    void job.run((control) => runJob('runInSequence', { scenario, file: inputFile(session) }, control))
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
        {expected.picture === null ? sentences().records[equal ? 0 : 1] : sentences().picture[equal ? 0 : 1]}
      </strong>
    </>
  )
}

/** Returns the sentences for equal and for different checksums. */
const sentences = () =>
  ({
    records: [t('Equal: the same bytes in the same order.'), t('Different: the output is not in input order.')],
    picture: [t('Equal: the same picture, pixel for pixel.'), t('Different: not the same tiles have come through.')],
  }) as const
