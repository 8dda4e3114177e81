import { readStored, writeStored } from '../../app/base/browser/browserStorage.ts'
import type { Commands } from '../../app/session/commands.ts'
import type { Feature } from '../../app/session/features/feature.ts'
import type { Run } from '../../app/session/run/runStore.ts'
import { onRows } from '../../app/session/run/startStop.ts'
import type { Session } from '../../app/session/session.ts'
import { t } from '../../language/translate.ts'
import { isRealTime } from '../../scenario/model/engines.ts'
import type { RunKeeper } from './records/keepRun.ts'
import { libraryStore, openLibrary } from './records/libraryStore.ts'

const unfinished = () => import('./page/unfinished.tsx')

const libraryCommands: Commands = (session) => {
  return [
    {
      name: 'library',
      menu: { section: 'scenarios', label: t('My scenarios'), about: t('Kept in this browser.') },
      control: 'library',
      act: () => openLibrary(session),
    },
    {
      name: 'keep',
      menu: {
        section: 'scenarios',
        label: t('Keep in my scenarios'),
      },
      control: 'library',
      act: async () => {
        libraryStore(session).setState({ wanted: true })
        await (await import('./page/libraryKeeping.ts')).saveAsNew(session)
      },
    },
  ]
}

/** The scenarios that a person keeps in this browser, and runs that were cut short. */
export const libraryFeature: Feature = {
  key: 'library',
  commands: [[18, libraryCommands]],
  layers: [
    {
      place: 'title',
      store: libraryStore,
      isOpen: (session) => libraryStore(session).getState().wanted,
      state: (session) => libraryStore(session).getState().keeping?.state ?? '',
      load: async () => (await import('./page/Library.tsx')).Library,
    },
  ],
  files: {
    takesAll: () => false,
    recognises: async (file) => /"apportion-scenarios"/.test(await file.slice(0, 4096).text()),
    open: async (session, file) => (await import('./page/exchange.ts')).importFile(session, file),
  },
  attend: followRuns,
}

/** Set while the database may hold rows of a run. Only then is it opened. */
const KEPT = 'apportion.run'
/** A run that ends sooner is not kept. */
const SHORT_MS = 1000

/**
 * Keeps the rows of each run in real time until it has ended, since it cannot be played again. Offers runs that were cut short at an
 * earlier visit. The code for both is fetched when it is needed. Returns a function that stops both.
 */
function followRuns(session: Session): () => void {
  let kept: Run | null = null
  let keeper: RunKeeper | null = null
  const end = onRows(session, (run) => {
    if (!isRealTime(run.trace.engine)) return
    if (run !== kept) {
      kept = run
      keeper = null
      setTimeout(async () => {
        if (kept !== run) return
        const { keepUnfinishedRun: keep } = await unfinished()
        if (kept === run) keeper = keep(run.trace, tell)
      }, SHORT_MS)
    }
    keeper?.rowsAdded()
    if (run.trace.ending !== null) kept = keeper = null
  })
  const stay = session.address.onLeave(() => void keeper?.write())
  if (readStored(KEPT) !== null) void unfinished().then(({ offerUnfinishedRun: offer }) => offer(session, tell))
  return () => {
    stay()
    end()
  }
}

function tell(kept: boolean): void {
  if ((readStored(KEPT) !== null) !== kept) writeStored(KEPT, kept ? '1' : null)
}
