import { readDuration } from '../../../app/base/forms/typedText.ts'
import type { Micros } from '../../../scenario/model/scenario.ts'

/** An element of a page, for the preview and for the file. Texts are written as they are; who shows them escapes them. */
export interface PageElement {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly PageNode[]
}
export type PageNode = string | PageElement

export function pageElement(tag: string, children: readonly PageNode[] = [], attributes: Readonly<Record<string, string>> = {}): PageElement {
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

const paragraph: Kind = { name: 'paragraph', several: true, begins: /^/, read: (lines) => pageElement('p', inline(lines.join(' '))) }

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
      const time = pinnedTime(lines[0])
      return time === null ? paragraph.read(lines, pin) : pin(time)
    },
  },
  paragraph,
]

function kindOf(line: string): Kind {
  return kinds.find(({ begins }) => begins.test(line)) ?? paragraph
}

function list(tag: 'ul' | 'ol', begins: RegExp): Kind {
  const read = (lines: readonly string[]) =>
    pageElement(
      tag,
      lines.map((line) => pageElement('li', inline(line.replace(begins, '')))),
    )
  return { name: tag, several: true, begins, read }
}

function pinnedTime(line: string): Micros | null {
  const read = readDuration(line.slice(1).trim())
  return 'value' in read && read.value >= 0 ? read.value : null
}

/** Emphasis and links are bounded, so that no text takes long to read. */
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
