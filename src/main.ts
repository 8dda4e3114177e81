import { chosenTheme } from './app/base/browser/chosenTheme.ts'
import { isFresh } from './app/base/browser/freshVisit.ts'
import { preferredLanguage } from './app/base/browser/preferredLanguage.ts'

// A first visit sees the page before its script arrives: index.html contains it in each language.
const shells = [...document.querySelectorAll('template')]
const language = preferredLanguage(shells.map(({ lang }) => lang))
const shell = isFresh() ? shells.find(({ lang }) => lang === language) : undefined
if (shell !== undefined) document.getElementById('root')?.replaceChildren(shell.content)
const theme = chosenTheme()
if (theme !== 'auto') document.documentElement.dataset.theme = theme

// All else is fetched after the first paint, which needs the network to itself. A background page is not painted.
const painted = new Promise<unknown>((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(resolve))
  setTimeout(resolve, 500)
})
void painted.then(() => import('./page.ts'))
