import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { essayPage, momentFigure, type PageNode, pageElement, readMarkdown } from '../../../../src/features/publish/essay/essayPage.ts'

const pin = (time: number): PageNode => pageElement('figure', [`at ${time}`])

/** The elements as a short text: `p(Hello strong(you))`. */
function short(node: PageNode): string {
  if (typeof node === 'string') return node
  return `${node.tag}(${node.children.map(short).join('')})`
}
const read = (text: string) => readMarkdown(text, pin).map(short)
const tags = 'html head meta title style body h1 h2 h3 h4 p ul ol li strong em code a footer figure'.split(' ')
const pageOf = (text: string, title = 'Title') => essayPage({ language: 'en', title, link: null, text: readMarkdown(text, pin) })

describe('an essay', () => {
  test('has headings below its title, paragraphs, lists, emphasis, code, links to the web and pins', () => {
    expect(read('# One\n## Two\nA line\nand *its* **next**.\n\n- a\n- `b`\n\n1. c\n2. d\n@ 1.25 s\nafter')).toEqual([
      'h2(One)',
      'h3(Two)',
      'p(A line and em(its) strong(next).)',
      'ul(li(a)li(code(b)))',
      'ol(li(c)li(d))',
      'figure(at 1250000)',
      'p(after)',
    ])
    expect(readMarkdown('[here](https://example.org/a_b)', pin)).toEqual([
      pageElement('p', [pageElement('a', ['here'], { href: 'https://example.org/a_b', rel: 'noopener' })]),
    ])
  })

  test('keeps unknown markup as text: other links, single stars, a pin without a time', () => {
    for (const text of ['[x](javascript:alert)', '[x](data:text/html,x)', '2 * 3 * 4', '@ noon', '@home is where', '<b>not bold</b>'])
      expect(read(text)).toEqual([`p(${text})`])
  })

  test('keeps every character of a text without marks, and never fails', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '<', '&', '"', 'я', '👍') }).filter((text) => text.trim() !== ''),
        (text) => {
          expect(read(text)).toEqual([`p(${text})`])
        },
      ),
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('*', '`', '[', ']', '(', ')', '#', '-', '@', '1', '.', '\n', ' ', 'a') }), (text) => void read(text)),
    )
  })

  test('is a file in which no text of the user is markup', () => {
    const markup = ['](https://a.b/"><script>)', '<script>alert(1)</script>', '</style>', '<!--', '</title>']
    const hostile = fc.string({ unit: fc.constantFrom(...'<>&"\'\n*[a', ...markup) })
    fc.assert(
      fc.property(hostile, hostile, (text, title) => {
        const page = pageOf(text, title)
        expect(page).not.toMatch(/<script|<!--|javascript:/i)
        // Nothing but the elements that an essay has.
        for (const [, tag] of page.matchAll(/<\/?([a-z0-9]+)/g)) expect(tags).toContain(tag)
        expect(page.match(/<\/style>/g)).toHaveLength(1)
        expect(page.match(/<\/title>/g)).toHaveLength(1)
      }),
    )
  })

  test('loads nothing by itself: pictures are in the file, a frame waits until it is opened', () => {
    const moment = momentFigure({ heading: 'At 1 s.', decision: 'Decision 3: A & B', picture: 'data:image/png;base64,AA', frame: 'https://a.b/?embed#s=1&t=5' })
    const page = essayPage({ language: 'ru', title: 'T', link: 'https://a.b/#s=1', text: [moment] })
    expect(page).toContain('<img src="data:image/png;base64,AA" alt="At 1 s. Decision 3: A &amp; B">')
    expect(page).toContain(
      '<details><summary>Live, when online</summary><iframe src="https://a.b/?embed#s=1&amp;t=5" title="At 1 s." loading="lazy"></iframe></details>',
    )
    expect(page).toContain('<html lang="ru">')
    expect(page).toContain("default-src 'none'")
    expect(essayPage({ language: 'en', title: 'T', link: null, text: [momentFigure({ heading: 'x', decision: '', picture: null, frame: null })] })).not.toMatch(
      /<img|<iframe|<a /,
    )
  })

  test('links to the web only where the address begins there', () => {
    for (const address of ['javascript:alert`1`//https://a.b', 'JavaScript:https://a.b/', 'data:text/html,https://a.b', 'vbscript:http://a', '//mailto:a@b'])
      expect(read(`[x](${address})`)).toEqual([`p([x](${address}))`])
    for (const address of ['https://a.b', 'HTTP://a.b', 'mailto:a@b.c']) expect(read(`[x](${address})`)).toEqual(['p(a(x))'])
  })

  test('ends no attribute with a quote in its value', () => {
    const quote = '" onload="alert(1)'
    const moment = momentFigure({ heading: quote, decision: quote, picture: `data:,${quote}`, frame: `https://a.b/${quote}` })
    const page = essayPage({ language: quote, title: quote, link: `https://a.b/${quote}`, text: [moment, ...readMarkdown(`[x](https://a.b/"onload="1)`, pin)] })
    for (const [element] of page.matchAll(/<[a-z][^>]*>/g)) expect(element.replaceAll(/="[^"]*"/g, '')).not.toMatch(/onload|"/)
    expect(page.match(/&quot; onload=&quot;/g)?.length).toBeGreaterThan(5)
  })
})
