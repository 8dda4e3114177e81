import '@fontsource-variable/inter'
import './app/theme.css'
import './app/app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { beginLanguage } from './app/language.ts'

// Before the first picture, so that nobody sees another language flash by, nor another scenario: only what reads a link can say which is to
// be seen, and it is fetched where there is one. No `await`: what is fetched may need this file whole.
const link = location.hash === '' ? null : import('./scenario/codec.ts')
void Promise.allSettled([beginLanguage(), link]).then(mount)

function mount(): void {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
