import { useRef, useState } from 'react'
import { useStore } from 'zustand'
import { download, fileName } from '../../../app/base/browser/files.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Select } from '../../../app/base/controls/Select.tsx'
import { useLater } from '../../../app/base/page/useLater.ts'
import { Dialog } from '../../../app/base/ui/Dialog.tsx'
import { timelineStore } from '../../../app/session/page/timelineStore.ts'
import type { Run } from '../../../app/session/run/runStore.ts'
import { useJob } from '../../../app/session/study/backgroundJob.ts'
import { JobProgress } from '../../../app/session/study/JobProgress.tsx'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { allowedText, numberText } from '../../../scenario/model/words.ts'
import { endOf } from '../../../trace/trace.ts'
import { bytes, duration } from '../../../views/drawing/format.ts'
import type { TimeRange } from '../../../views/timeline/timelineRange.ts'
import { publishingStore, setPublishing } from '../publishing.ts'
import { filmOf } from './film.ts'
import { canShoot, type FilmFormat, shoot, whyNoFilm } from './shoot.ts'
import './film.css'

const sizes = [
  [854, 480],
  [1280, 720],
  [1920, 1080],
] as const
const MAX_SECONDS = 120
/** How long a worker is on its way, in seconds of the film. */
const ON_WAY = 0.32

/** Asks for the length, size and range of a video of the run, and saves it as a file. */
export function FilmDialog() {
  const session = useSession()
  const run = useStore(publishingStore(session), ({ film }) => film)
  return run === null ? null : <FilmOf run={run} />
}

function FilmOf({ run }: { readonly run: Run }) {
  const session = useSession()
  const [length, setLength] = useState('10')
  const [size, setSize] = useState(1)
  const [format, setFormat] = useState<FilmFormat>('WebM')
  const formats: readonly FilmFormat[] = useLater('MP4', canShoot) ? ['WebM', 'MP4'] : ['WebM']
  const marked = useStore(timelineStore(session), ({ selection }) => selection)
  const [onlyMarked, setOnlyMarked] = useState(false)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [job, state] = useJob<{ readonly size: number }>()
  const end = endOf(run.trace)
  const range: TimeRange = onlyMarked && marked !== null ? marked : [0, end]
  const missing = whyNoFilm()
  const seconds = Number(length)
  const wrong = !(Number.isFinite(seconds) && seconds >= 1 && seconds <= MAX_SECONDS)
  const [width, height] = sizes[size]
  const make = (target: HTMLCanvasElement) =>
    job.run(async ({ progress, signal }) => {
      target.width = width
      target.height = height
      const draw = filmOf(target, run, range, (ON_WAY * (range[1] - range[0])) / seconds)
      const file = await shoot(target, {
        length: seconds,
        format,
        draw: (share) => draw(Math.round(range[0] + share * (range[1] - range[0]))),
        progress,
        signal,
      })
      await download(fileName(run.scenario.title, `.${format.toLowerCase()}`), file)
      return { size: file.size }
    })
  const making = state.phase === 'running'
  return (
    <Dialog title={t('Save as video')} kind="film" onClose={() => setPublishing(session, { film: null })}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!making && !wrong && canvas.current !== null) void make(canvas.current)
        }}
      >
        <label className="field">
          <span>{t('Length in seconds')}</span>
          <input
            type="number"
            min={1}
            max={MAX_SECONDS}
            step="any"
            value={length}
            aria-invalid={wrong}
            disabled={making}
            onChange={(event) => setLength(event.target.value)}
          />
        </label>
        <label className="field">
          <span>{t('Size')}</span>
          <Select
            value={size}
            options={sizes.map(([w, h], k) => [k, `${w} × ${h}`] as const)}
            disabled={making}
            choose={setSize}
          />
        </label>
        {formats.length > 1 && (
          <label className="field">
            <span>{t('Format')}</span>
            <Select
              value={format}
              options={formats.map((name) => [name, name] as const)}
              disabled={making}
              choose={setFormat}
            />
          </label>
        )}
        {marked !== null && (
          <label className="check">
            <input
              type="checkbox"
              checked={onlyMarked}
              disabled={making}
              onChange={(event) => setOnlyMarked(event.target.checked)}
            />
            <span>{t('Only the marked range, {length}', { length: duration(marked[1] - marked[0]) })}</span>
          </label>
        )}
        {wrong && <p className="soft">{allowedText(numberText(1, MAX_SECONDS))}</p>}
        {missing !== null ? (
          <p className="warning">{missing}</p>
        ) : (
          <div className="progress-row film-actions">
            {making ? (
              <JobProgress inline job={job} label={t('Frames drawn')} cancel={job.cancel} />
            ) : (
              <Button type="submit" disabled={wrong || end === 0} text={t('Make the video')} />
            )}
          </div>
        )}
        <p aria-live="polite">
          {state.phase === 'done' && t('Saved: {size}.', { size: bytes(state.result.size) })}
          {state.phase === 'failed' && <span className="warning">{state.sentence}</span>}
        </p>
      </form>
      <canvas
        ref={canvas}
        className="film-preview"
        role="img"
        aria-label={t('Frames drawn')}
        hidden={state.phase === 'idle'}
      />
    </Dialog>
  )
}
