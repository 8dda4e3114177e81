import { useState } from 'react'
import { joinedText, readable } from '../../../app/base/browser/files.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { useLanguage } from '../../../app/base/page/language.ts'
import { notify } from '../../../app/base/page/notices.ts'
import { showRecord } from '../../../app/session/run/opening.ts'
import { SessionProvider } from '../../../app/session/scenario/SessionProvider.tsx'
import { part, type Session } from '../../../app/session/session.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import { openTraceFile } from '../../../runs/remote/openTraceFile.ts'
import { problemsText } from '../../../scenario/model/words.ts'
import { writeTraceJson } from '../../../trace/formats/traceJson.ts'
import type { Trace } from '../../../trace/trace.ts'
import { duration } from '../../../views/drawing/format.ts'
import { keepRun, type RunKeeper } from '../records/keepRun.ts'
import { type Leftover, openShelf } from '../records/shelf.ts'

const shelf = openShelf()

/** Stores a run while it is in progress. Calls `tell` with whether anything is stored now. */
export function keepUnfinishedRun(trace: Trace, tell: (kept: boolean) => void): RunKeeper {
  const keeper = keepRun(trace, shelf, { tell })
  keeper.rowsAdded()
  return keeper
}

const offers = part(() => ({ made: false }))

/** Offers the runs that were cut short at an earlier visit, once a visit. */
export async function offerUnfinishedRun(session: Session, tell: (kept: boolean) => void): Promise<void> {
  const offered = offers(session)
  if (offered.made) return
  offered.made = true
  const leftovers = await shelf.leftovers().catch(() => [])
  if (leftovers.length === 0) return
  notify(
    <SessionProvider session={session}>
      <UnfinishedNotice leftovers={leftovers} tell={tell} />
    </SessionProvider>,
  )
}

interface NoticeProps {
  readonly leftovers: readonly Leftover[]
  readonly tell: (kept: boolean) => void
}

/** Offers runs that were cut short, one after the other. Reports whether anything is stored now. */
function UnfinishedNotice({ leftovers, tell }: NoticeProps) {
  const session = useSession()
  useLanguage()
  const [left, setLeft] = useState(leftovers)
  const [opening, setOpening] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [first, ...others] = left
  if (first === undefined) return null

  const discard = async () => {
    setLeft(others)
    setProblem(null)
    await shelf.forget(first.id).then(tell, () => {})
  }
  const open = async () => {
    setOpening(true)
    const found = await openLeftover(session, first.id).catch((error) =>
      error instanceof Error ? error.message : String(error),
    )
    setOpening(false)
    if (found === null) await discard()
    else setProblem(found)
  }
  const values = { title: readable(first.title) || t('Untitled'), time: duration(first.time) }
  return (
    <section className="notice" aria-live="polite" aria-label={t('Cut short')}>
      <p>
        {problem === null
          ? t('“{title}” was cut short when this page was last left. Its first {time} are kept.', values)
          : t('What is kept of “{title}” cannot be read: {problem}.', { ...values, problem })}
      </p>
      {problem === null && <Button disabled={opening} onClick={() => void open()} text={t('Open it')} />}
      <Button disabled={opening} onClick={() => void discard()} text={t('Discard')} />
    </section>
  )
}

/** Opens the stored rows of a run like a trace file, with the same checks. Returns the problem, or null. */
async function openLeftover(session: Session, id: string): Promise<string | null> {
  const trace = await shelf.read(id)
  if (trace === null) return t('another tab has changed it')
  const read = await openTraceFile(await joinedText(writeTraceJson(trace), 'application/json'))
  if ('problems' in read) return problemsText(read.problems, '; ')
  await showRecord(session, read.trace, t('an earlier visit'))
  return null
}
