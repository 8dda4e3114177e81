import { renderToStaticMarkup } from 'react-dom/server'
import { themeStore } from './app/base/page/theme.ts'
import { SessionProvider } from './app/session/scenario/SessionProvider.tsx'
import { createSession } from './app/session/session.ts'
import { App } from './app/shell/page/App.tsx'
import { type Catalogue, speak } from './language/translate.ts'
import { defaultPalette } from './views/drawing/palette.ts'

/** The page as it is first drawn, in English or another language. The build writes it into index.html. */
export function shell(catalogue?: Catalogue): string {
  speak(catalogue)
  // Node has none before version 21. Of the machine nothing is said before a run.
  globalThis.navigator ??= { hardwareConcurrency: 1 } as Navigator
  // Of either theme: nothing of it is coloured but by the style sheet.
  themeStore.setState({ palette: defaultPalette('light') })
  return renderToStaticMarkup(
    <SessionProvider session={createSession()}>
      <App problems={[]} />
    </SessionProvider>,
  )
}
