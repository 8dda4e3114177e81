import { renderToStaticMarkup } from 'react-dom/server'
import { App } from './app/App.tsx'
import { type Catalogue, speak } from './language/say.ts'

/** The page as it is first drawn, in English or another language. The build writes it into index.html. */
export function shell(catalogue?: Catalogue): string {
  speak(catalogue)
  return renderToStaticMarkup(<App problems={[]} />)
}
