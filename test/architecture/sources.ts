import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

/** A node of the syntax tree; only its type is certain. */
export interface Syntax {
  readonly type: string
  readonly [key: string]: unknown
}

/** A source file: its path below `src`, with slashes, and its syntax tree. */
export interface Source {
  readonly path: string
  readonly program: Syntax
}

export const repository = fileURLToPath(new URL('../../', import.meta.url))

/** Parses a source. Throws if it is not TypeScript. */
export function source(path: string, text: string): Source {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`)
  return { path, program: program as unknown as Syntax }
}

/** Paths of all files below `src`, with slashes. */
export function sourcePaths(): string[] {
  const entries = readdirSync(`${repository}src`, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.replaceAll('\\', '/')}/${entry.name}`)
  return paths.map((path) => path.slice(path.lastIndexOf('/src/') + '/src/'.length)).sort()
}

/** All scripts below `src`, parsed. */
export function sources(): Source[] {
  const scripts = sourcePaths().filter((path) => /\.tsx?$/.test(path))
  return scripts.map((path) => source(path, readFileSync(`${repository}src/${path}`, 'utf8')))
}

/** Calls `visit` with every node below `node`, parents first, and the key of the parent that contains it. */
export function walk(
  node: Syntax,
  visit: (node: Syntax, parent: Syntax | null, key: string) => void,
  parent: Syntax | null = null,
  key = '',
): void {
  visit(node, parent, key)
  for (const [name, child] of Object.entries(node)) {
    for (const item of Array.isArray(child) ? child : [child]) if (isSyntax(item)) walk(item, visit, node, name)
  }
}

function isSyntax(value: unknown): value is Syntax {
  return typeof value === 'object' && value !== null && typeof (value as Syntax).type === 'string'
}

/** The imports of a file in any form: `import`, `import type`, `export from`, `import()` and the type `import('...')`. */
export function importsOf({ program }: Source): string[] {
  const found: string[] = []
  walk(program, (node) => {
    if (!/^(Import(Declaration|Expression)|Export(Named|All)Declaration|TSImportType)$/.test(node.type)) return
    const from = node.source as { value?: unknown } | null | undefined
    if (typeof from?.value === 'string') found.push(from.value)
  })
  return found
}
