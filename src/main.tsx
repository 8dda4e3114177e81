import '@fontsource-variable/inter'
import './app/theme.css'
import './app/app.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { beginLanguage } from './app/language.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
// Before the first picture, so that nobody sees another language flash by.
await beginLanguage()
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
