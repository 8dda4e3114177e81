import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { Output } from '../../../engine/work/payloads.ts'
import { t } from '../../../language/translate.ts'
import { measuredServices } from '../../../measures/figures/measuredServices.ts'
import { Cancelled, runJob } from '../../../runs/remote/jobThreads.ts'
import { setService } from '../../../scenario/edit/edits.ts'
import { bytes, percent } from '../../../views/drawing/format.ts'
import { download, fileName } from '../../base/browser/download.ts'
import { pngOf } from '../../session/run/pictures.ts'
import { complain, inputFile, type Run, runStore } from '../../session/run/runStore.ts'
import { edit } from '../../session/scenario/scenarioStore.ts'

/** What a run over a file has made: its checksum beside that of one worker doing everything in sequence. */
export function OutputPanel() {
  const { output, run } = useStore(runStore)
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
        onClick={() => takeMeasured(run)}
      >
        {t('Declare the times measured')}
      </button>
    </article>
  )
}

/** What was measured becomes what is declared, at the stages that are still there. */
function takeMeasured({ scenario, trace }: Run): void {
  const measured = measuredServices(trace)
  edit((now) =>
    scenario.stages.reduce((changed, { id }, s) => {
      const service = measured[s]
      return service === null ? changed : setService(changed, id, service)
    }, now),
  )
}

function SaveButton({ output, title }: { readonly output: Output; readonly title: string }) {
  const { picture, compressed, blob } = output
  return picture === null ? (
    <button type="button" className="button" onClick={() => download(fileName(title, compressed ? '.jsonl.gz' : '.jsonl'), blob)}>
      {t('Download output')}
      {compressed && ' (.gz)'}
    </button>
  ) : (
    <button type="button" className="button" onClick={() => savePicture(blob, picture.width, picture.height, title)}>
      {t('Save as PNG')}
    </button>
  )
}

async function savePicture(pixels: Blob, width: number, height: number, title: string): Promise<void> {
  try {
    await download(fileName(title, '.png'), await pngOf(pixels, width, height))
  } catch (error) {
    complain(t('The picture cannot be saved: {why}', { why: error instanceof Error ? error.message : String(error) }))
  }
}

function Check({ expected, scenario }: { readonly expected: Output; readonly scenario: NonNullable<ReturnType<typeof runStore.getState>['run']>['scenario'] }) {
  const [progress, setProgress] = useState(0)
  const [result, setResult] = useState<Output | string | null>(null)
  useEffect(() => {
    const leaving = new AbortController()
    runJob('runInSequence', { scenario, file: inputFile() }, { signal: leaving.signal, progress: setProgress }).then(
      setResult,
      (error: unknown) => !(error instanceof Cancelled) && setResult(error instanceof Error ? error.message : String(error)),
    )
    return () => leaving.abort()
  }, [scenario])
  if (result === null) return <progress value={progress} max={1} aria-label={t('One worker in sequence')} title={percent(progress, 0)} />
  if (typeof result === 'string') return <span className="warning">{result}</span>
  const equal = result.sha256 === expected.sha256
  return (
    <>
      <code>{result.sha256}</code>
      <strong className={equal ? 'good' : 'warning'}>
        {expected.picture === null ? sentences().records[equal ? 0 : 1] : sentences().picture[equal ? 0 : 1]}
      </strong>
    </>
  )
}

/** When the checksums are equal, and when not. */
const sentences = () =>
  ({
    records: [t('Equal: the same bytes in the same order.'), t('Different: the output is not in input order.')],
    picture: [t('Equal: the same picture, pixel for pixel.'), t('Different: not the same tiles have come through.')],
  }) as const
