import { t } from '../../../language/translate.ts'
import { type PageElement, type PageNode, pageElement } from './markdown.ts'

/** What the file has beside its text. */
interface EssayParts {
  readonly language: string
  readonly title: string
  /** The link that opens the scenario; null: it is too long for one. */
  readonly link: string | null
  readonly text: readonly PageNode[]
}

/** It loads nothing but the live frames that somebody opens. */
const allowed = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-src http: https:"
const style = `:root{color-scheme:light dark;font:17px/1.6 system-ui,sans-serif}
body{max-width:46rem;margin:0 auto;padding:2rem 1.2rem 4rem;overflow-wrap:anywhere}
h1,h2,h3,h4{line-height:1.25}
figure{margin:2rem 0}
img,iframe{display:block;width:100%;height:auto;border:1px solid #8886;border-radius:8px}
iframe{height:440px}
figcaption,footer,summary{margin-top:.5rem;font-size:.9rem}
footer{margin-top:3rem;border-top:1px solid #8886;padding-top:.8rem}`

/** Returns an essay as one HTML file that needs no other. */
export function essayPage({ language, title, link, text }: EssayParts): string {
  const made = link === null ? t('Made with Apportion.') : pageElement('a', [t('Open the scenario in Apportion')], { href: link })
  const page = pageElement(
    'html',
    [
      pageElement('head', [
        pageElement('meta', [], { charset: 'utf-8' }),
        pageElement('meta', [], { 'http-equiv': 'Content-Security-Policy', content: allowed }),
        pageElement('meta', [], { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
        pageElement('title', [title]),
        pageElement('style', [style]),
      ]),
      pageElement('body', [pageElement('h1', [title]), ...text, pageElement('footer', [made])]),
    ],
    { lang: language },
  )
  return `<!doctype html>\n${written(page)}\n`
}

const empty: ReadonlySet<string> = new Set(['meta', 'img'])
const blocks: ReadonlySet<string> = new Set(['head', 'body', 'p', 'h1', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'figure', 'footer', 'meta', 'title', 'style'])

function written(node: PageNode): string {
  if (typeof node === 'string') return escaped(node)
  const { tag, attributes, children } = node
  const named = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`)
  const open = `${blocks.has(tag) ? '\n' : ''}<${tag}${named.join('')}>`
  if (empty.has(tag)) return open
  // Our own style has none of the characters that are escaped.
  return `${open}${children.map(written).join('')}</${tag}>`
}

function escaped(text: string): string {
  return text.replaceAll('\0', '\ufffd').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** What stands at a pinned moment. */
export interface Moment {
  readonly heading: string
  /** The decision of that moment in words; empty if there is none to show. */
  readonly decision: string
  /** The picture as a data URL; null while there is no run. */
  readonly picture: string | null
  /** The address of a live frame; null: without one. */
  readonly frame: string | null
}

/** Returns a pinned moment: its picture, the decision, and a live frame that loads when it is opened. */
export function momentFigure({ heading, decision, picture, frame }: Moment): PageElement {
  const live =
    frame === null
      ? []
      : [pageElement('details', [pageElement('summary', [t('Live, when online')]), pageElement('iframe', [], { src: frame, title: heading, loading: 'lazy' })])]
  return pageElement('figure', [
    ...(picture === null ? [] : [pageElement('img', [], { src: picture, alt: `${heading} ${decision}`.trim() })]),
    pageElement('figcaption', [pageElement('strong', [heading]), ...(decision === '' ? [] : [` ${decision}`])]),
    ...live,
  ])
}
