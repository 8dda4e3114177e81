import { renderToStaticMarkup } from 'react-dom/server'
import { themeStore } from './app/base/page/theme.ts'
import { installFeatures } from './app/session/features/features.tsx'
import { showingStore } from './app/session/page/showing.ts'
import { SessionProvider } from './app/session/scenario/SessionProvider.tsx'
import { scenarioStore } from './app/session/scenario/scenarioStore.ts'
import { createSession } from './app/session/session.ts'
import { Front } from './app/shell/front/Front.tsx'
import { openFront } from './app/shell/front/frontPage.ts'
import { App } from './app/shell/page/App.tsx'
import { features } from './features.ts'
import { type Catalogue, speak } from './language/translate.ts'
import { defaultPalette } from './views/drawing/palette.ts'

/** The page as a first visit sees it drawn, in English or another language. The build writes it into index.html. */
export function shell(catalogue?: Catalogue): string {
  speak(catalogue)
  // Node has none before version 21. Of the machine nothing is said before a run.
  globalThis.navigator ??= { hardwareConcurrency: 1 } as Navigator
  // Of either theme: nothing of it is coloured but by the style sheet.
  themeStore.setState({ palette: defaultPalette('light') })
  const session = createSession()
  installFeatures(session, features)
  openFront(session)
  // Without a window React renders the initial state.
  for (const store of [scenarioStore(session), showingStore(session)]) store.getInitialState = store.getState as typeof store.getInitialState
  return renderToStaticMarkup(
    <SessionProvider session={session}>
      <App problems={[]} Front={Front} />
    </SessionProvider>,
  )
}
