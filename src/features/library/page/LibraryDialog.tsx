import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { chooseFile, download } from '../../../app/base/browser/files.ts'
import { Button } from '../../../app/base/controls/Button.tsx'
import { Dialog } from '../../../app/base/ui/Dialog.tsx'
import { saveCanvas } from '../../../app/session/scenario/savedCanvas.ts'
import { useSession } from '../../../app/session/useSession.ts'
import { t } from '../../../language/translate.ts'
import type { Problem } from '../../../scenario/model/scenario.ts'
import { failure, type Kept } from '../records/database.ts'
import { foundEntries, type SortedEntries, sortedEntries } from '../records/entries.ts'
import { libraryStore, notSaved } from '../records/libraryStore.ts'
import { EntryCard, UnreadableCard } from './EntryCard.tsx'
import { broughtIn, takeScenarios, writeFile } from './exchange.ts'
import { library, onLibrary, putBack, removeEntry, saveAsNew } from './libraryKeeping.ts'

/** The latest message: the result of an import, a deletion, or why something failed. */
type Message = {
  readonly words: string
  readonly problems?: readonly Problem[]
  readonly deleted?: Kept | null
  readonly bad?: boolean
}

export function LibraryDialog({ onClose }: { readonly onClose: () => void }) {
  const session = useSession()
  const [shelf, setShelf] = useState<SortedEntries | null>(null)
  const [search, setSearch] = useState('')
  const [message, setMessage] = useState<Message | null>(null)
  const keeping = useStore(libraryStore(session), (state) => state.keeping)
  useEffect(() => {
    let wanted = true
    const load = () =>
      library.all().then(
        (records) => wanted && setShelf(sortedEntries(records)),
        (error) =>
          wanted &&
          setMessage({ words: t('The library cannot be read: {reason}.', { reason: failure(error) }), bad: true }),
      )
    void load()
    const end = onLibrary(session, () => void load())
    // Another tab may have changed the library.
    addEventListener('focus', load)
    return () => {
      wanted = false
      removeEventListener('focus', load)
      end()
    }
  }, [session])

  async function attempt(act: () => Promise<void>) {
    setMessage(null)
    try {
      await act()
    } catch (error) {
      setMessage({ words: t('That was not done: {reason}. Nothing was lost.', { reason: failure(error) }), bad: true })
    }
  }
  const remove = (id: string, title: string) =>
    attempt(async () => {
      const deleted = await removeEntry(session, id)
      setMessage({ words: t('“{title}” was deleted.', { title }), deleted })
    })
  const restore = (kept: Kept) => attempt(() => putBack(session, kept))
  const bring = () =>
    chooseFile((file) =>
      attempt(async () => {
        const brought = await takeScenarios(session, file)
        setMessage({ words: broughtIn(brought), problems: brought.problems, bad: brought.problems.length > 0 })
      }),
    )

  const entries = shelf?.entries ?? []
  const shown = search.trim() === '' ? entries : foundEntries(entries, search)
  return (
    <Dialog title={t('My scenarios')} kind="library" onClose={onClose}>
      <div className="library-bar">
        <input
          type="search"
          aria-label={t('Search my scenarios')}
          placeholder={t('Search my scenarios')}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        {keeping === null && <Button onClick={() => void saveAsNew(session)} text={t('Keep in my scenarios')} />}
      </div>
      {keeping?.state === 'failed' && <Line message={{ words: notSaved(keeping), bad: true }} restore={restore} />}
      {message !== null && <Line message={message} restore={restore} />}
      {shelf !== null && entries.length + shelf.unreadable.length === 0 && (
        <p className="soft">
          {t('Nothing is kept yet. A browser may clear what it holds, so export your scenarios now and then.')}
        </p>
      )}
      {entries.length > 0 && shown.length === 0 && <p className="soft">{t('No match.')}</p>}
      <ul className="library-list">
        {shown.map((entry) => (
          <EntryCard key={entry.id} entry={entry} onClose={onClose} remove={remove} attempt={attempt} />
        ))}
        {search.trim() === '' && shelf?.unreadable.map((entry) => <UnreadableCard key={entry.id} entry={entry} />)}
      </ul>
      <div className="library-foot">
        <span className="soft">
          {shelf !== null && t('{n, plural, one {# scenario} other {# scenarios}}', { n: entries.length })}
        </span>
        <Button onClick={bring} text={t('Import')} />
        <Button
          disabled={entries.length === 0}
          onClick={() => void download('apportion-scenarios.json', writeFile(entries))}
          text={t('Export all')}
        />
      </div>
    </Dialog>
  )
}

function Line({
  message: { words, problems = [], deleted = null, bad = false },
  restore,
}: {
  readonly message: Message
  readonly restore: (kept: Kept) => void
}) {
  const session = useSession()
  return (
    <div className="library-message" data-bad={bad} role={bad ? 'alert' : undefined}>
      <p>
        {words} {deleted !== null && <Button className="link" onClick={() => restore(deleted)} text={t('Undo')} />}
        {bad && problems.length === 0 && (
          <Button className="link" onClick={() => void saveCanvas(session)} text={t('Download scenario')} />
        )}
      </p>
      {problems.length > 0 && (
        <ul>
          {problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path !== '' && <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
