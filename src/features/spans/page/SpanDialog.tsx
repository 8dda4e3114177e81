import { useStore } from 'zustand'
import { readable } from '../../../app/base/browser/files.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Select } from '../../../app/base/controls/Select.tsx'
import { Dialog } from '../../../app/base/ui/Dialog.tsx'
import type { Session } from '../../../app/session/session.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { openTrace } from '../../../app/share/files/openTrace.ts'
import { t } from '../../../language/translate.ts'
import { openJobThreads } from '../../../runs/remote/jobThreads.ts'
import { bytes, count } from '../../../views/drawing/format.ts'
import type { SpanChoice } from '../read/spanJobs.ts'
import type { SpanFileRead } from '../study/importSpans.ts'
import { type ComingSpans, type ReadSpanFile, spanStore } from './spanStore.ts'

/** What the spans of a file tell, before they become the run on the screen. */
export function SpanDialog() {
  const session = useSession()
  const coming = useStore(spanStore(session), (state) => state.coming)
  if (coming === null) return null
  const { name, size, share, read, problems } = coming
  return (
    <Dialog title={t('Spans of your system')} onClose={() => cancelSpans(session)}>
      <p>
        <strong>{name}</strong>, {bytes(size)}
      </p>
      {problems.length > 0 && (
        <ul className="problem-list" role="alert">
          {problems.map(({ path, message }) => (
            <li key={message}>{path === '' || path.startsWith('--') ? message : `${path}: ${message}`}</li>
          ))}
        </ul>
      )}
      {read !== null && problems.length === 0 && <Found read={read} />}
      {read !== null && <Choices coming={coming} read={read} />}
      <div className="progress-row">
        {share < 1 && <progress value={share} max={1} aria-label={t('Reading {name}.', { name })} />}
        {read !== null && problems.length === 0 && (
          <Button className="button run" onClick={() => void acceptSpans(session)} text={t('Open the run')} />
        )}
        <Button className="link" onClick={() => cancelSpans(session)} text={t('Cancel')} />
      </div>
    </Dialog>
  )
}

function Found({ read }: { readonly read: ReadSpanFile }) {
  const { format, spans, jobs, stages, notes } = read
  return (
    <>
      <p>
        {t('{format}. Spans: {spans}, jobs: {jobs}. Stages in order: {stages}.', {
          format,
          spans: count(spans),
          jobs: count(jobs),
          stages: stages.map((stage) => readable(stage)).join(', '),
        })}
      </p>
      {notes.length > 0 && (
        <ul className="soft">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <p className="soft">{t('Drop a file of your own decisions on the page to see them here.')}</p>
    </>
  )
}

/** What tells a job, a stage and a worker: the guess, which can be changed. */
function Choices({ coming, read }: { readonly coming: ComingSpans; readonly read: ReadSpanFile }) {
  const { choice, choose } = coming
  const field = (key: keyof SpanChoice, name: string, guess: string) => (
    <label className="field">
      <span>{name}</span>
      <Select
        value={choice[key] ?? ''}
        options={[
          ['', t('Guessed: {guess}', { guess: readable(guess) })],
          ...read.choices.map((each) => [each, readable(each)] as const),
        ]}
        choose={(value) => void choose({ ...choice, [key]: value === '' ? null : value })}
      />
    </label>
  )
  return (
    <>
      {field('job', t('A job is told by'), read.chosen.job)}
      {field('stage', t('A stage is told by'), read.chosen.stage)}
      {field('worker', t('A worker is told by'), read.chosen.worker ?? t('overlaps'))}
    </>
  )
}

/** Reads the spans of a file on a thread of its own, and shows what they tell. The run on the screen stays until the person opens the new one. */
export async function openSpans(session: Session, file: File): Promise<void> {
  cancelSpans(session)
  const store = spanStore(session)
  const name = readable(file.name)
  const { run, end } = openJobThreads(1)
  let latest = 0

  /** Shows what comes, unless the dialog was closed, or another choice was made after it. */
  async function take(choice: SpanChoice, reading: Promise<SpanFileRead>): Promise<void> {
    const number = ++latest
    update({ choice, problems: [] })
    const found = await reading.catch((error: unknown) => ({
      problems: [{ path: '', message: error instanceof Error ? error.message : String(error) }],
    }))
    if (number !== latest) return
    update('problems' in found ? { share: 1, problems: found.problems } : { share: 1, read: found })
  }

  function update(changes: Partial<ComingSpans>): void {
    const { coming } = store.getState()
    if (coming?.stop === end) store.setState({ coming: { ...coming, ...changes } })
  }

  const choice: SpanChoice = { job: null, stage: null, worker: null }
  store.setState({
    coming: {
      name,
      size: file.size,
      share: 0,
      read: null,
      choice,
      problems: [],
      stop: end,
      choose: (chosen) => take(chosen, run('chooseSpans', chosen)),
    },
  })
  await take(
    choice,
    run('openSpans', { file, name: name.replace(/\.(json|jsonl|ndjson|gz)\b/gi, ''), choice }, (share) =>
      update({ share }),
    ),
  )
}

function cancelSpans(session: Session): void {
  const store = spanStore(session)
  store.getState().coming?.stop()
  store.setState({ coming: null })
}

/** Opens the run in place of the one on the screen. */
async function acceptSpans(session: Session): Promise<void> {
  const { coming } = spanStore(session).getState()
  if (coming?.read == null || coming.problems.length > 0) return
  const file = new File([coming.read.file], t('{name} (spans)', { name: coming.name }), { type: 'application/json' })
  cancelSpans(session)
  await openTrace(session, file)
}
