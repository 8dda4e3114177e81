import '@fontsource-variable/inter'
import './app/theme.css'
import './app/app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'

// Only what reads a link can say which scenario is to be seen, and it is fetched where there is one. No `await`: it needs this file whole.
if (location.hash === '') mount()
else void import('./scenario/codec.ts').then(mount, mount)

function mount(): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
