import { readdirSync, readFileSync } from 'node:fs'
import { repository } from '../architecture/sources.ts'

/** A page in Markdown: its path from the repository, its text, and the code blocks in it. */
export interface Page {
  readonly path: string
  readonly text: string
  readonly blocks: readonly Block[]
  /** The text without its code blocks. */
  readonly prose: string
}

/** A fenced block: the word behind the fence, its text, and its first line, counted from 1. */
export interface Block {
  readonly language: string
  readonly text: string
  readonly line: number
}

/** Returns every page that people read: in the root, in docs/, and the README of every folder and of the tests. */
export function pages(): Page[] {
  const inside = ['docs', 'src', 'test'].flatMap((folder) =>
    readdirSync(repository + folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  const paths = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...inside.filter((path) => path.endsWith('.md'))]
  return paths.map((path) => pageOf(path.replaceAll('\\', '/'), readFileSync(repository + path, 'utf8')))
}

function pageOf(path: string, text: string): Page {
  const blocks: Block[] = []
  const prose: string[] = []
  let open: { language: string; line: number; lines: string[] } | null = null
  text.split('\n').forEach((line, i) => {
    const fence = line.match(/^```(\S*)$/)
    if (fence === null) {
      if (open === null) prose.push(line)
      else open.lines.push(line)
    } else if (open === null) open = { language: fence[1], line: i + 2, lines: [] }
    else {
      blocks.push({ language: open.language, text: open.lines.join('\n'), line: open.line })
      open = null
    }
  })
  return { path, text, blocks, prose: prose.join('\n') }
}

/** Returns the targets of all links and pictures of a page, without those in code. */
export function targetsIn({ prose }: Page): string[] {
  const plain = prose.replace(/^ {4,}.*$/gm, '').replace(/`[^`\n]*`/g, '')
  const inMarkdown = [...plain.matchAll(/\]\(([^()\s]+)\)/g)]
  const inHtml = [...plain.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)]
  return [...inMarkdown, ...inHtml].map(([, target]) => target)
}

/** Returns the anchors of a page as GitHub makes them of its headings. A heading that comes twice gets a number. */
export function anchorsOf({ prose }: Page): ReadonlySet<string> {
  const seen = new Map<string, number>()
  return new Set(
    [...prose.matchAll(/^#{1,6} +(.+?) *#*$/gm)].map(([, heading]) => {
      const slug = heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
        .replaceAll(' ', '-')
      const times = seen.get(slug) ?? 0
      seen.set(slug, times + 1)
      return times === 0 ? slug : `${slug}-${times}`
    }),
  )
}
