import type { Feature } from '../../session/features/feature.ts'
import { installFeatures } from '../../session/features/features.tsx'
import { SessionProvider } from '../../session/scenario/SessionProvider.tsx'
import { createSession, type Session } from '../../session/session.ts'
import '@fontsource-variable/inter'
import '../../base/page/theme.css'
import './app.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { useStore } from 'zustand'
import { trustOwnScripts } from '../../../engine/threads/liveness.ts'
import { t } from '../../../language/translate.ts'
import { chosenTheme } from '../../base/browser/chosenTheme.ts'
import { isFresh } from '../../base/browser/freshVisit.ts'
import { Button } from '../../base/controls/Button.tsx'
import { beginLanguage } from '../../base/page/language.ts'
import { dropMissingStyles, ErrorBoundary } from '../../base/page/lazyPart.tsx'
import { setTheme } from '../../base/page/theme.ts'
import type { Address } from '../../session/address.ts'
import { beginOffline } from '../../session/offline/offline.tsx'
import { reload } from '../../session/offline/reload.ts'
import { runStore } from '../../session/run/runStore.ts'
import { saveCanvas } from '../../session/scenario/savedCanvas.ts'
import { useSession } from '../../session/useSession.ts'
import { exportCode } from '../../share/files/fileCommands.ts'
import { openFront } from '../front/frontPage.ts'
import { App, fetchCanvas, fetchFront, type Parts } from './App.tsx'
import { readUrlOptions, type UrlOptions } from './urlOptions.ts'

/** Draws the page with these features. Called once. */
export function mount(features: readonly Feature[]): void {
  trustOwnScripts()
  dropMissingStyles()
  const session = createSession(windowAddress())
  installFeatures(session, features)
  const { search } = session.address.read()

  // All this is fetched before the first picture, so that no other language, page or scenario appears first.
  const language = beginLanguage()
  const arrived = Promise.all(features.map(({ arrive }) => arrive?.(session) ?? []))
  const asked = search === '' ? null : language.then(() => readUrlOptions(session, search))
  const front = isFresh() ? fetchFront() : null
  // Below the front page it is drawn later.
  const canvas = front === null ? fetchCanvas() : null
  void Promise.allSettled([asked, canvas, front, arrived, language]).then(([page, pipeline, first, found]) => {
    if (valueIn(first) !== null) openFront(session)
    const options = { problems: [], ...valueIn(page) }
    const problems = [...options.problems, ...(valueIn(found) ?? []).flat()]
    show(
      session,
      { ...options, problems },
      { Canvas: valueIn(pipeline) ?? undefined, Front: valueIn(first) ?? undefined },
    )
  })

  // Keeps the built page for offline use, once everything else is loaded. Never inside another page.
  if (!import.meta.env.PROD || self !== top) return
  const loaded = new Promise<void>((resolve) => {
    const rest = () => setTimeout(resolve, 1500)
    if (document.readyState === 'complete') rest()
    else addEventListener('load', rest)
  })
  void beginOffline(session, loaded)
  void loaded.then(() => {
    for (const { attendLater } of features) void attendLater?.(session).then((end) => session.onEnd(end))
  })
}

const valueIn = <T,>(settled: PromiseSettledResult<T>): T | null =>
  settled.status === 'fulfilled' ? settled.value : null

function show(session: Session, { Page, problems }: UrlOptions, parts: Parts): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  const page = (
    <StrictMode>
      <SessionProvider session={session}>
        <ErrorBoundary rescue={<Rescue />}>
          {Page === undefined ? <App problems={problems} {...parts} /> : <Page problems={problems} />}
        </ErrorBoundary>
      </SessionProvider>
    </StrictMode>
  )
  setTheme(chosenTheme())
  // React works in slices, so that the browser paints and listens in between.
  startTransition(() => createRoot(root).render(page))
}

/** Returns the address of this window. It listens until the window closes. */
export function windowAddress(): Address {
  let pressed = false
  addEventListener('pointerdown', () => (pressed = true), true)
  for (const release of ['pointerup', 'pointercancel']) addEventListener(release, () => (pressed = false), true)
  return {
    read: () => new URL(location.href),
    write: (to, how, state = how === 'push' ? null : history.state) => history[`${how}State`](state, '', to),
    state: () => history.state,
    go: (by) => history.go(by),
    // The browser sends this event for links as well.
    onChange: (listener) => listen('popstate', listener),
    onLeave: (listener) => listen('pagehide', listener),
    pressed: () => pressed,
  }
}

function listen(event: string, listener: () => void): () => void {
  addEventListener(event, listener)
  return () => removeEventListener(event, listener)
}

/** Saves what was on a page that cannot be shown. */
export function Rescue() {
  const session = useSession()
  const run = useStore(runStore(session), (state) => state.run)
  const saveTrace = async () => {
    if (run !== null) await (await exportCode()).saveTrace(session, run)
  }
  return (
    <>
      <Button text={t('Download scenario')} onClick={() => saveCanvas(session)} />
      {run !== null && <Button text={t('Download trace')} onClick={saveTrace} />}
      <Button text={t('Reload')} onClick={reload} />
    </>
  )
}
