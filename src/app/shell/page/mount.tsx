import { SessionProvider } from '../../session/scenario/SessionProvider.tsx'
import { createSession } from '../../session/session.ts'
import '@fontsource-variable/inter'
import '../../base/page/theme.css'
import './app.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { trustOwnScripts } from '../../../engine/threads/ownScripts.ts'
import { chosenTheme } from '../../base/browser/preferences.ts'
import { beginLanguage } from '../../base/page/language.ts'
import { dropMissingStyles } from '../../base/page/lazyPart.tsx'
import { setTheme } from '../../base/page/theme.ts'
import type { PipelineCanvas } from '../../draw/canvas/PipelineCanvas.tsx'
import { App } from './App.tsx'
import type { UrlOptions } from './urlOptions.ts'

trustOwnScripts()
dropMissingStyles()

const session = createSession()

// All this is fetched before the first picture, so that no other language, page or scenario flashes by. What reads the address is
// fetched only if there is something to read. No `await`: what is fetched may import this file.
const language = beginLanguage()
const asked =
  location.search === '' ? null : Promise.all([import('./urlOptions.ts'), language]).then(([{ readUrlOptions }]) => readUrlOptions(session, location.search))
const link = location.hash === '' ? null : import('../../../scenario/link/codec.ts')
const view = location.hash.includes('&') ? import('../../share/links/openView.ts') : null
const canvas = import('../../draw/canvas/PipelineCanvas.tsx')
void Promise.allSettled([asked, canvas, language, link, view]).then(([page, pipeline]) =>
  show({ problems: [], ...valueIn(page) }, valueIn(pipeline)?.PipelineCanvas),
)

function valueIn<T>(settled: PromiseSettledResult<T>): T | null {
  return settled.status === 'fulfilled' ? settled.value : null
}

function show({ Page, problems }: UrlOptions, Canvas?: typeof PipelineCanvas): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  const page = (
    <StrictMode>
      <SessionProvider session={session}>
        {Page === undefined ? <App problems={problems} {...(Canvas && { Canvas })} /> : <Page problems={problems} />}
      </SessionProvider>
    </StrictMode>
  )
  setTheme(chosenTheme())
  // React works in slices, so that the browser paints and listens in between.
  startTransition(() => createRoot(root).render(page))
}

// Keeps the built page for offline use, once everything else is loaded. Never inside another page.
if (import.meta.env.PROD && self === top) {
  const rest = () => setTimeout(() => import('../../session/offline/offline.tsx').then(({ beginOffline }) => beginOffline(session)), 1500)
  if (document.readyState === 'complete') rest()
  else addEventListener('load', rest)
}
