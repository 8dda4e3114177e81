import '@fontsource-variable/inter'
import './app/theme.css'
import './app/app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import type { Asked } from './app/asked.ts'

function show({ Page = App, problems }: Asked): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <Page problems={problems} />
    </StrictMode>,
  )
}

// What the address asks of the page is known before anything of it is drawn.
if (location.search === '') show({ problems: [] })
else void import('./app/asked.ts').then(async ({ readAsked }) => show(await readAsked(location.search)))
