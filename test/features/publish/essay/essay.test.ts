import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  essayPage,
  momentFigure,
  type PageNode,
  pageElement,
  readMarkdown,
} from '../../../../src/features/publish/essay/essayPage.ts'

const pin = (time: number): PageNode => pageElement('figure', [`at ${time}`])

/** The elements as a short text: `p(Hello strong(you))`. */
function short(node: PageNode): string {
  if (typeof node === 'string') return node
  return `${node.tag}(${node.children.map(short).join('')})`
}
const read = (text: string) => readMarkdown(text, pin).map(short)
const tags = 'html head meta title style body h1 h2 h3 h4 p ul ol li strong em code a footer figure'.split(' ')
const pageOf = (text: string, title = 'Title') =>
  essayPage({ language: 'en', title, link: null, text: readMarkdown(text, pin) })

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
    for (const text of [
      '[x](javascript:alert)',
      '[x](data:text/html,x)',
      '2 * 3 * 4',
      '@ noon',
      '@home is where',
      '<b>not bold</b>',
    ])
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
      fc.property(
        fc.string({ unit: fc.constantFrom('*', '`', '[', ']', '(', ')', '#', '-', '@', '1', '.', '\n', ' ', 'a') }),
        (text) => void read(text),
      ),
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
    const moment = momentFigure({
      heading: 'At 1 s.',
      decision: 'Decision 3: A & B',
      picture: 'data:image/png;base64,AA',
      frame: 'https://a.b/?embed#s=1&t=5',
    })
    const page = essayPage({ language: 'ru', title: 'T', link: 'https://a.b/#s=1', text: [moment] })
    expect(page).toContain('<img src="data:image/png;base64,AA" alt="At 1 s. Decision 3: A &amp; B">')
    expect(page).toContain(
      '<details><summary>Live, when online</summary><iframe src="https://a.b/?embed#s=1&amp;t=5" title="At 1 s." loading="lazy"></iframe></details>',
    )
    expect(page).toContain('<html lang="ru">')
    expect(page).toContain("default-src 'none'")
    expect(
      essayPage({
        language: 'en',
        title: 'T',
        link: null,
        text: [momentFigure({ heading: 'x', decision: '', picture: null, frame: null })],
      }),
    ).not.toMatch(/<img|<iframe|<a /)
  })

  test('links to the web only where the address begins there', () => {
    for (const address of [
      'javascript:alert`1`//https://a.b',
      'JavaScript:https://a.b/',
      'data:text/html,https://a.b',
      'vbscript:http://a',
      '//mailto:a@b',
    ])
      expect(read(`[x](${address})`)).toEqual([`p([x](${address}))`])
    for (const address of ['https://a.b', 'HTTP://a.b', 'mailto:a@b.c'])
      expect(read(`[x](${address})`)).toEqual(['p(a(x))'])
  })

  test('ends no attribute with a quote in its value', () => {
    const quote = '" onload="alert(1)'
    const moment = momentFigure({
      heading: quote,
      decision: quote,
      picture: `data:,${quote}`,
      frame: `https://a.b/${quote}`,
    })
    const page = essayPage({
      language: quote,
      title: quote,
      link: `https://a.b/${quote}`,
      text: [moment, ...readMarkdown(`[x](https://a.b/"onload="1)`, pin)],
    })
    for (const [element] of page.matchAll(/<[a-z][^>]*>/g))
      expect(element.replaceAll(/="[^"]*"/g, '')).not.toMatch(/onload|"/)
    expect(page.match(/&quot; onload=&quot;/g)?.length).toBeGreaterThan(5)
  })
})

describe('the Markdown of an essay', () => {
  test.each([
    [
      'a paragraph ends at an empty line, also one with spaces and tabs',
      'a\nb\n \t\nc\n\n\nd',
      ['p(a b)', 'p(c)', 'p(d)'],
    ],
    ['a text of spaces alone has no paragraph', ' \n\n\t', []],
    [
      'there are three kinds of headings below the title, and one line each',
      '# a\n## b\n### c\nd',
      ['h2(a)', 'h3(b)', 'h4(c)', 'p(d)'],
    ],
    ['four signs are no heading, nor are signs without a space', '#### a\n\n#b', ['p(#### a)', 'p(#b)']],
    ['a list has stars or dashes, after at most three spaces', '- a\n * b\n   - c', ['ul(li(a)li(b)li(c))']],
    ['four spaces, or a sign without a space, begin no list', '    - a\n\n-a\n\n*a', ['p(    - a)', 'p(-a)', 'p(*a)']],
    ['a list may have numbers of up to nine digits', '9. a\n   123456789. b', ['ol(li(a)li(b))']],
    ['ten digits, or a number without a space, begin no list', '1234567890. a\n\n1.a', ['p(1234567890. a)', 'p(1.a)']],
    [
      'lists of two kinds are two lists, and a paragraph after one is none of its items',
      '- a\n1. b\nc',
      ['ul(li(a))', 'ol(li(b))', 'p(c)'],
    ],
    [
      'an instant is pinned from 0 on, with a space behind the sign or without',
      '@ 0 s\n@2 ms\n@ 3 s',
      ['figure(at 0)', 'figure(at 2000)', 'figure(at 3000000)'],
    ],
    [
      'an instant before 0 is text, and so is a sign alone',
      '@ -1 s\n\n@\n\n@  1 s',
      ['p(@ -1 s)', 'p(@)', 'p(@  1 s)'],
    ],
    [
      'marks may stand in marks, but not in code',
      '**a *b* c** *d `e` f* `*g*`',
      ['p(strong(a em(b) c) em(d code(e) f) code(*g*))'],
    ],
    ['text before, between and after marks is kept', 'a*b*c`d`e', ['p(aem(b)ccode(d)e)']],
    [
      'an address of the web has two slashes, and a link has a label',
      '[a](https:b) [](https://a.b) [c](http://d)',
      ['p([a](https:b) [](https://a.b) a(c))'],
    ],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  test.each<[string, number, (length: number) => string, (text: string) => string]>([
    ['bold', 401, (n) => `**${'x'.repeat(n)}**`, (text) => `strong(${text})`],
    ['emphasised', 401, (n) => `*${'x'.repeat(n)}*`, (text) => `em(${text})`],
    ['code', 400, (n) => `\`${'x'.repeat(n)}\``, (text) => `code(${text})`],
    ['the label of a link', 400, (n) => `[${'x'.repeat(n)}](https://a.b)`, (text) => `a(${text})`],
    ['the address of a link', 1000, (n) => `[x](https://${'x'.repeat(n - 8)})`, () => 'a(x)'],
  ])('%s are at most %i characters: longer ones stay text', (_, most, textOf, made) => {
    expect(read(textOf(most))).toEqual([`p(${made('x'.repeat(most))})`])
    expect(read(textOf(most + 1))).toEqual([`p(${textOf(most + 1)})`])
  })
})

test('the file of an essay says its language, its letters and its rules, and what it may load', () => {
  const page = essayPage({
    language: 'ru',
    title: 'A "title"',
    link: 'https://a.b/#s=1',
    text: readMarkdown('# One\n\n\0', pin),
  })
  expect(page.startsWith('<!doctype html>\n<html lang="ru">')).toBe(true)
  // The browser must know both before it reads any text.
  expect(page.slice(0, page.indexOf('<title>'))).toMatch(
    /<head>\s*<meta charset="utf-8">\s*<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-src http: https:">/,
  )
  expect(page).toContain('<title>A &quot;title&quot;</title>')
  expect(page).toMatch(/<body>\s*<h1>A &quot;title&quot;<\/h1>\s*<h2>One<\/h2>/)
  expect(page).toMatch(/<footer><a href="https:\/\/a\.b\/#s=1">Open the scenario in Apportion<\/a><\/footer>/)
  expect(pageOf('a > b')).toContain('<p>a &gt; b</p>')
  const picture = momentFigure({ heading: 'x', decision: '', picture: 'data:,', frame: null })
  expect(essayPage({ language: 'en', title: '', link: null, text: [picture] })).toContain(
    '<img src="data:," alt="x"><figcaption>',
  )
  // No browser shows a zero character, and none may stand in a file of HTML.
  expect([page.includes('\0'), page.includes('\ufffd')]).toEqual([false, true])
  expect(essayPage({ language: 'en', title: '', link: null, text: [] })).toMatch(
    /<footer>Made with Apportion\.<\/footer>/,
  )
})

test('a pinned moment has what there is of it: a picture, a decision, a frame', () => {
  const moment = { heading: 'At 1 s.', decision: '', picture: null, frame: null }
  expect(momentFigure(moment)).toEqual(
    pageElement('figure', [pageElement('figcaption', [pageElement('strong', ['At 1 s.'])])]),
  )
  expect(short(momentFigure({ ...moment, decision: 'Parse.' }))).toBe('figure(figcaption(strong(At 1 s.) Parse.))')
  expect(momentFigure({ ...moment, picture: '' }).children[0]).toEqual(
    pageElement('img', [], { src: '', alt: 'At 1 s.' }),
  )
  expect(short(momentFigure({ ...moment, frame: 'https://a.b' }))).toBe(
    'figure(figcaption(strong(At 1 s.))details(summary(Live, when online)iframe()))',
  )
})
