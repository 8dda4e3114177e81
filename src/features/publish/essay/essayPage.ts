import { readDuration } from '../../../app/base/forms/typedText.ts'
import { t } from '../../../language/translate.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'

/** An element of a page, for the preview and for the file. Texts are not escaped yet: the renderer does that. */
type PageElement = {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly PageNode[]
}
export type PageNode = string | PageElement

export function pageElement(
  tag: string,
  children: readonly PageNode[] = [],
  attributes: Readonly<Record<string, string>> = {},
): PageElement {
  return { tag, attributes, children }
}

/**
 * Returns a text in Markdown as elements: headings, paragraphs, lists, emphasis, code and links to the web. A line such as `@ 1.25 s`
 * becomes what `pin` returns for that instant. Everything else, HTML too, is text.
 */
export function readMarkdown(text: string, pin: (time: Micros) => PageNode): readonly PageNode[] {
  const nodes: PageNode[] = []
  for (const block of text.split(/\n[^\S\n]*\n/)) {
    const lines = block.split('\n').filter((line) => line.trim() !== '')
    for (let i = 0; i < lines.length; ) {
      const kind = kindOf(lines[i])
      let end = i + 1
      if (kind.several) while (end < lines.length && kindOf(lines[end]).name === kind.name) end++
      nodes.push(kind.read(lines.slice(i, end), pin))
      i = end
    }
  }
  return nodes
}

interface Kind {
  readonly name: string
  /** Whether lines that follow belong to the same block. */
  readonly several: boolean
  readonly begins: RegExp
  read(lines: readonly string[], pin: (time: Micros) => PageNode): PageNode
}

const paragraph: Kind = {
  name: 'paragraph',
  several: true,
  begins: /^/,
  read: (lines) => pageElement('p', inline(lines.join(' '))),
}

const kinds: readonly Kind[] = [
  {
    name: 'heading',
    several: false,
    begins: /^#{1,3} /,
    // The title of the page is its only first heading.
    read: ([line]) => pageElement(`h${line.indexOf(' ') + 1}`, inline(line.replace(/^#+ /, ''))),
  },
  list('ul', /^ {0,3}[-*] /),
  list('ol', /^ {0,3}\d{1,9}\. /),
  {
    name: 'pin',
    several: false,
    begins: /^@ ?\S/,
    read(lines, pin) {
      const time = readDuration(lines[0].slice(1).trim())
      return 'value' in time && time.value >= 0 ? pin(time.value) : paragraph.read(lines, pin)
    },
  },
  paragraph,
]

function kindOf(line: string): Kind {
  return kinds.find(({ begins }) => begins.test(line)) ?? paragraph
}

function list(tag: 'ul' | 'ol', begins: RegExp): Kind {
  const item = (line: string) => pageElement('li', inline(line.replace(begins, '')))
  return { name: tag, several: true, begins, read: (lines) => pageElement(tag, lines.map(item)) }
}

/** The lengths are limited, so that no text takes long to parse. */
const marks = /\*\*(\S.{0,400}?)\*\*|\*(\S.{0,400}?)\*|`([^`]{1,400})`|\[([^\]]{1,400})\]\(([^\s()]{1,1000})\)/
const toTheWeb = /^(?:https?:\/\/|mailto:)/i

function inline(text: string): readonly PageNode[] {
  const found = marks.exec(text)
  if (found === null) return text === '' ? [] : [text]
  const [whole, strong, emphasis, code, label, address] = found
  const node =
    strong !== undefined
      ? pageElement('strong', inline(strong))
      : emphasis !== undefined
        ? pageElement('em', inline(emphasis))
        : code !== undefined
          ? pageElement('code', [code])
          : toTheWeb.test(address)
            ? pageElement('a', [label], { href: address, rel: 'noopener' })
            : whole
  const before = text.slice(0, found.index)
  return [...(before === '' ? [] : [before]), node, ...inline(text.slice(found.index + whole.length))]
}

interface EssayParts {
  readonly language: string
  readonly title: string
  /** The link that opens the scenario; null if it is too long for a link. */
  readonly link: string | null
  readonly text: readonly PageNode[]
}

/** The page loads nothing except the live frames that a reader opens. */
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
  const made =
    link === null ? t('Made with Apportion.') : pageElement('a', [t('Open the scenario in Apportion')], { href: link })
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
const blocks: ReadonlySet<string> = new Set([
  'head',
  'body',
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'ul',
  'ol',
  'li',
  'figure',
  'footer',
  'meta',
  'title',
  'style',
])

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
  return text
    .replaceAll('\0', '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

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
  const parts: PageElement[] = []
  if (picture !== null) parts.push(pageElement('img', [], { src: picture, alt: `${heading} ${decision}`.trim() }))
  parts.push(
    pageElement('figcaption', [pageElement('strong', [heading]), ...(decision === '' ? [] : [` ${decision}`])]),
  )
  if (frame !== null) {
    const live = pageElement('iframe', [], { src: frame, title: heading, loading: 'lazy' })
    parts.push(pageElement('details', [pageElement('summary', [t('Live, when online')]), live]))
  }
  return pageElement('figure', parts)
}
