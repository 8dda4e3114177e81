import { chosenTheme, isFresh, preferredLanguage } from './app/base/browser/browserStorage.ts'

// A fresh page is seen before its script has come: it stands in index.html as it is first drawn, in each language.
const shells = [...document.querySelectorAll('template')]
const language = preferredLanguage(shells.map(({ lang }) => lang))
const shell = isFresh() ? shells.find(({ lang }) => lang === language) : undefined
if (shell !== undefined) document.getElementById('root')?.replaceChildren(shell.content)
const theme = chosenTheme()
if (theme !== 'auto') document.documentElement.dataset.theme = theme

// All else comes when that has been painted, so that it has the network to itself. In the background nothing is painted.
const painted = new Promise<unknown>((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(resolve))
  setTimeout(resolve, 500)
})
void painted.then(() => {
  // In three files, which begin one after the other: so no stretch of work at the start is long.
  void import('react-dom/client')
  void Promise.all([import('./app/shell/page/mount.tsx'), import('./features.ts')]).then(([{ mount }, { features }]) => mount(features))
  void (isFresh() ? import('./app/shell/front/Front.tsx') : import('./app/draw/canvas/PipelineCanvas.tsx'))
})
