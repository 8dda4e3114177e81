import '@fontsource-variable/inter'
import './app/theme.css'
import './app/app.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import type { Asked } from './app/asked.ts'
import { beginLanguage } from './app/language.ts'
import { trustOwnScripts } from './engine/threads/ownScripts.ts'

trustOwnScripts()

// Before the first picture, so that nobody sees another language flash by, nor another page or scenario: what reads the address is fetched
// where it says something. No `await`: what is fetched may need this file whole.
const language = beginLanguage()
const asked = location.search === '' ? null : Promise.all([import('./app/asked.ts'), language]).then(([{ readAsked }]) => readAsked(location.search))
const link = location.hash === '' ? null : import('./scenario/codec.ts')
const view = location.hash.includes('&') ? import('./app/openView.ts') : null
// A file of its own, so that no stretch of work at the start is long.
const canvas = import('./app/canvas/PipelineCanvas.tsx')
void Promise.allSettled([asked, language, link, view, canvas]).then(([page]) => show((page.status === 'fulfilled' ? page.value : null) ?? { problems: [] }))

function show({ Page = App, problems }: Asked): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  const page = (
    <StrictMode>
      <Page problems={problems} />
    </StrictMode>
  )
  // In slices, between which the browser paints and listens.
  startTransition(() => createRoot(root).render(page))
}

// The built page is kept for when there is no network, once all else has come to rest. Never where it stands in another page.
if (import.meta.env.PROD && self === top)
  addEventListener('load', () => setTimeout(() => import('./app/offline/offline.tsx').then(({ beginOffline }) => beginOffline()), 1500))
