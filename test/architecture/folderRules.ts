import { posix } from 'node:path'
import { targetOf } from './importRules.ts'
import { importsOf, type Source, type Syntax } from './sources.ts'

/** A row of the table in a folder's README: one of its folders, and the other folders that it may import. */
export interface FolderRow {
  readonly name: string
  readonly mayImport: readonly string[]
}

/** Reads the table with the columns folder, may import and holds, lowest first; null if there is none. */
export function readFolderTable(markdown: string): FolderRow[] | null {
  const lines = markdown.split('\n')
  const head = lines.findIndex((line) => /^\|\s*folder\s*\|\s*may import\s*\|\s*holds\s*\|$/.test(line))
  if (head < 0) return null
  const rows = lines.slice(head + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end < 0 ? rows.length : end).map((line) => {
    const [name, mayImport] = line
      .split('|')
      .slice(1, 3)
      .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]))
    return { name: name[0], mayImport }
  })
}

/** Every folder below `src` with subfolders, and their names. `src` itself has the table of all folders. */
export function foldersOf(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folders = new Set(
    paths
      .map((path) => posix.dirname(path))
      .flatMap((folder) => folder.split('/').map((_, k, parts) => parts.slice(0, k + 1).join('/'))),
  )
  const parents = new Map<string, string[]>()
  for (const folder of [...folders].sort()) {
    const parent = posix.dirname(folder)
    if (parent !== '.') parents.set(parent, [...(parents.get(parent) ?? []), posix.basename(folder)])
  }
  return parents
}

/** The errors of a table: missing folders, extra folders, and rows that import a lower folder. */
export function wrongRows(parent: string, folders: readonly string[], rows: readonly FolderRow[] | null): string[] {
  if (rows === null) return [`${parent}/README.md has no table "| folder | may import | holds |"`]
  const names = rows.map(({ name }) => name)
  return [
    ...folders.filter((name) => !names.includes(name)).map((name) => `${parent}/README.md lacks \`${name}\``),
    ...names
      .filter((name) => !folders.includes(name))
      .map((name) => `${parent}/README.md has \`${name}\`, which is no folder`),
    ...rows.flatMap(({ name, mayImport }, k) =>
      mayImport
        .filter((other) => !names.slice(0, k).includes(other))
        .map((other) => `${parent}/README.md: \`${name}\` may import \`${other}\`, which does not stand above it`),
    ),
  ]
}

/**
 * Every import inside a folder that the table of the nearest common folder does not allow. Files directly in a folder are
 * its lowest level: its folders may import them, and they import none of its folders. The files that describe a feature may import all of it.
 */
export function wrongInside(sources: readonly Source[], tables: ReadonlyMap<string, readonly FolderRow[]>): string[] {
  return sources.flatMap((source) =>
    importsOf(source)
      .filter((specifier) => specifier.startsWith('.'))
      .flatMap((specifier) => {
        const [from, to] = [source.path.split('/'), targetOf(source.path, specifier).split('/')]
        let k = 0
        while (k < from.length - 1 && k < to.length - 1 && from[k] === to[k]) k++
        const parent = from.slice(0, k).join('/')
        const rows = tables.get(parent)
        if (rows === undefined || k >= to.length - 1) return []
        if (/^features\/\w+\/(feature|studies|\w+Command|\w+Entry)\.tsx?$/.test(source.path)) return []
        const [own, other] = [k < from.length - 1 ? from[k] : null, to[k]]
        const allowed = own !== null && (rows.find(({ name }) => name === own)?.mayImport.includes(other) ?? false)
        return allowed
          ? []
          : [`${source.path}: in ${parent}, ${own ?? 'a file of its own'} may not import ${other} (${specifier})`]
      }),
  )
}

/** Returns the folders with more than `most` files. */
export function crowdedFolders(paths: readonly string[], most: number): string[] {
  return [...countByFolder(paths)]
    .filter(([, files]) => files > most)
    .map(([folder, files]) => `${folder}: ${files} files`)
}

/** Returns the folders that have subfolders or more than `most` files, but no README. */
export function foldersWithoutReadme(paths: readonly string[], most: number): string[] {
  const wanted = new Set([
    ...foldersOf(paths).keys(),
    ...[...countByFolder(paths)].filter(([, files]) => files > most).map(([folder]) => folder),
  ])
  return [...wanted].filter((folder) => !paths.includes(`${folder}/README.md`)).sort()
}

function countByFolder(paths: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const path of paths)
    if (path.includes('/') && !path.endsWith('.md'))
      counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1)
  return counts
}

/** Names that several files export, each with its files. */
export function duplicateExports(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { path, program } of sources)
    for (const name of new Set(exportsOf(program))) {
      const files = found.get(name)
      if (files === undefined) found.set(name, [path])
      else files.push(path)
    }
  return new Map([...found].filter(([, files]) => files.length > 1))
}

function exportsOf(program: Syntax): string[] {
  return (program.body as readonly Syntax[]).flatMap((node) => {
    const declared = node.type === 'ExportNamedDeclaration' ? (node.declaration as Syntax | null) : null
    if (!declared) return []
    const declarations = (declared.declarations as readonly Syntax[] | undefined) ?? [declared]
    return declarations.flatMap(({ id }) =>
      (id as Syntax | null)?.type === 'Identifier' ? [(id as Syntax).name as string] : [],
    )
  })
}

/** Constructors without side effects. */
const inertConstructors = new Set(
  `Map Set WeakMap WeakSet WeakRef RegExp URL TextEncoder TextDecoder PluralRules NumberFormat DateTimeFormat Collator Segmenter
  Int8Array Uint8Array Int16Array Uint16Array Int32Array Uint32Array Float64Array BigInt64Array`.split(/\s+/),
)

/** Returns the side effects of imports: statements, subscriptions, timers, listeners, workers. */
export function importEffects(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, program }) =>
    (program.body as readonly Syntax[]).flatMap((node) => {
      if (
        /^(Expression|If|For|ForOf|ForIn|While|Do|Try|Switch|Block|Throw)Statement$/.test(node.type) &&
        typeof node.directive !== 'string'
      )
        return [`${path}: acts when it is imported`]
      const declared = (node.type === 'ExportNamedDeclaration' ? node.declaration : node) as Syntax | null
      if (declared?.type !== 'VariableDeclaration') return []
      return (declared.declarations as readonly Syntax[])
        .filter(({ init }) => startsSomething(init as Syntax | null))
        .map(({ id }) => `${path}: ${(id as Syntax).name} starts something when it is imported`)
    }),
  )
}

/** Whether a top-level expression starts something; the content of its functions runs later. */
function startsSomething(node: Syntax | null): boolean {
  if (node === null || /Function|Class/.test(node.type)) return false
  if (node.type === 'AwaitExpression') return true
  if (node.type === 'NewExpression' && !inertConstructors.has(nameOf(node.callee as Syntax))) return true
  if (node.type === 'CallExpression') {
    if (
      /^(subscribe|addEventListener|setTimeout|setInterval|requestAnimationFrame|fetch|postMessage)$/.test(
        nameOf(node.callee as Syntax),
      )
    )
      return true
  }
  return Object.values(node).some((child) =>
    (Array.isArray(child) ? child : [child]).some(
      (item) =>
        typeof item === 'object' &&
        item !== null &&
        typeof (item as Syntax).type === 'string' &&
        startsSomething(item as Syntax),
    ),
  )
}

/** The last name of a callee: `subscribe` of `store.subscribe`. */
function nameOf(callee: Syntax): string {
  return String(callee.type === 'MemberExpression' ? (callee.property as Syntax).name : callee.name)
}

/** State in a module of the page: a store, or a variable that changes. It should belong to a session (see src/app/session). */
export function statefulModules(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, program }) =>
    (program.body as readonly Syntax[]).flatMap((node) => {
      const declared = (node.type === 'ExportNamedDeclaration' ? node.declaration : node) as Syntax | null
      if (declared?.type !== 'VariableDeclaration') return []
      return (declared.declarations as readonly Syntax[])
        .filter(
          ({ init }) =>
            declared.kind === 'let' ||
            ((init as Syntax | null)?.type === 'CallExpression' &&
              ((init as Syntax).callee as Syntax).name === 'createStore'),
        )
        .map(({ id }) => `${path}: ${(id as Syntax).name}`)
    }),
  )
}
