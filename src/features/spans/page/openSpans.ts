import { readable } from '../../../app/base/browser/files.ts'
import type { Session } from '../../../app/session/session.ts'
import { openTrace } from '../../../app/share/files/openTrace.ts'
import { t } from '../../../language/translate.ts'
import { openJobThreads } from '../../../runs/remote/jobThreads.ts'
import type { SpanChoice } from '../read/spanJobs.ts'
import type { SpanFileRead } from '../study/importSpans.ts'
import { type ComingSpans, spanStore } from './spanStore.ts'

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
    const found = await reading.catch((error: unknown) => ({ problems: [{ path: '', message: error instanceof Error ? error.message : String(error) }] }))
    if (number !== latest) return
    update('problems' in found ? { share: 1, problems: found.problems } : { share: 1, read: found })
  }

  function update(changes: Partial<ComingSpans>): void {
    const { coming } = store.getState()
    if (coming?.stop === end) store.setState({ coming: { ...coming, ...changes } })
  }

  const choice: SpanChoice = { job: null, stage: null, worker: null }
  store.setState({
    coming: { name, size: file.size, share: 0, read: null, choice, problems: [], stop: end, choose: (chosen) => take(chosen, run('chooseSpans', chosen)) },
  })
  await take(
    choice,
    run('openSpans', { file, name: name.replace(/\.(json|jsonl|ndjson|gz)\b/gi, ''), choice }, (share) => update({ share })),
  )
}

export function cancelSpans(session: Session): void {
  const store = spanStore(session)
  store.getState().coming?.stop()
  store.setState({ coming: null })
}

/** Opens the run in place of the one on the screen. */
export async function acceptSpans(session: Session): Promise<void> {
  const { coming } = spanStore(session).getState()
  if (coming?.read == null || coming.problems.length > 0) return
  const file = new File([coming.read.file], t('{name} (spans)', { name: coming.name }), { type: 'application/json' })
  cancelSpans(session)
  await openTrace(session, file)
}
