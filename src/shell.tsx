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

/** Returns the page of a first visit as HTML, in English or another language. The build writes it into index.html. */
export function shell(catalogue?: Catalogue): string {
  speak(catalogue)
  // Node has no navigator before version 21. The page shows nothing about the machine before a run.
  globalThis.navigator ??= { hardwareConcurrency: 1 } as Navigator
  // Either theme will do: all colours here come from the style sheet.
  themeStore.setState({ palette: defaultPalette('light') })
  const session = createSession()
  installFeatures(session, features)
  openFront(session)
  // Without a window React renders the initial state.
  for (const store of [scenarioStore(session), showingStore(session)])
    store.getInitialState = store.getState as typeof store.getInitialState
  return renderToStaticMarkup(
    <SessionProvider session={session}>
      <App problems={[]} Front={Front} />
    </SessionProvider>,
  )
}
