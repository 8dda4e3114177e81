import { posix } from 'node:path'
import { importsOf, type Source, type Syntax } from './sources.ts'

/** A row of an import table: a folder (`*` stands for any name) or a file directly in `src`, and what it may import. */
export interface Row {
  readonly name: string
  readonly mayImport: readonly string[]
  readonly libraries: readonly string[]
  readonly pure: boolean
}

/** Reads the table of a README whose first two columns are folder and may import. Returns null if there is none. */
export function readTable(markdown: string): Row[] | null {
  const [, table] = /^\|\s*folder\s*\|\s*may import\s*\|.*\n\|.*\n((?:\|.*\n?)*)/m.exec(markdown) ?? []
  if (table === undefined) return null
  const rows = table.trimEnd().split('\n')
  const read = rows.map((line) => {
    const [name, mayImport, libraries, pure] = line.split('|').slice(1)
    const quoted = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => text)
    return {
      name: quoted(name)[0],
      mayImport: quoted(mayImport),
      libraries: quoted(libraries),
      pure: pure?.trim() === 'yes',
    }
  })
  const core = read.map(({ name }) => name).filter((name) => !/\.tsx?$/.test(name) && !name.startsWith('features/'))
  return read.map((row) => ({ ...row, mayImport: row.mayImport.flatMap((name) => (name === 'core' ? core : name)) }))
}

/** Returns the row of a path below `src`: the longest name that fits, so that `engine/threads` is not `engine`. */
export function rowOf(path: string, rows: readonly Row[]): Row | undefined {
  const parts = path.split('/')
  const holds = (name: string) => {
    const names = name.split('/')
    return names.length < parts.length && names.every((part, k) => part === '*' || part === parts[k])
  }
  const fitting = rows.filter(({ name }) => holds(name) || (parts.length === 1 && matches(path, name)))
  return fitting.sort((a, b) => b.name.length - a.name.length)[0]
}

/** Returns whether a file is an entry, which no file imports: directly in `src`, or with a name of entries. */
export function isEntry(path: string): boolean {
  return !path.includes('/') || /Entry\.tsx?$/.test(path)
}

function matches(text: string, pattern: string): boolean {
  const [start, end] = pattern.split('*')
  return end === undefined
    ? text === pattern
    : text.startsWith(start) && text.endsWith(end) && text.length > start.length + end.length
}

/** Returns every import that the table of `src` does not allow, and every import of a missing file. */
export function wrongArrows(sources: readonly Source[], paths: readonly string[], rows: readonly Row[]): string[] {
  return sources.flatMap((source) => {
    const from = rowOf(source.path, rows)
    if (!from) return [`${source.path}: is in no folder of the table`]
    return importsOf(source)
      .map((specifier) => wrongArrow(source.path, specifier, from, paths, rows))
      .filter((problem) => problem !== null)
      .map((problem) => `${source.path}: ${problem}`)
  })
}

function wrongArrow(path: string, specifier: string, from: Row, paths: readonly string[], rows: readonly Row[]) {
  if (!specifier.startsWith('.')) {
    const parts = specifier.split('/', specifier.startsWith('@') ? 2 : 1)
    const library = specifier.startsWith('node:') ? specifier : parts.join('/')
    return from.libraries.some((allowed) => matches(library, allowed)) ? null : `${from.name} may not use ${library}`
  }
  const target = targetOf(path, specifier)
  if (!paths.includes(target)) return `imports ${specifier}, which does not exist`
  if (isEntry(target)) {
    const isList = /^(page|features|studies|commands)\.ts$/.test(target)
    return isEntry(path) && isList ? null : `imports ${specifier}: no file imports an entry`
  }
  const to = rowOf(target, rows)
  if (!to) return `imports ${specifier}, which is in no folder of the table`
  const allowed = to === from || from.mayImport.includes(to.name)
  return allowed ? null : `${from.name} may not import ${to.name} (${specifier})`
}

/** A relative import as a path below `src`, without a query such as `?url`. */
export function targetOf(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ''))
}

/** Returns every cycle of files that import each other, types too, as a path. */
export function importCycles(sources: readonly Source[]): string[] {
  const next = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source).map((specifier) => (specifier.startsWith('.') ? targetOf(source.path, specifier) : '')),
    ]),
  )
  const found: string[] = []
  const finished = new Set<string>()
  const trail: string[] = []
  const visit = (path: string) => {
    const at = trail.indexOf(path)
    if (at >= 0) found.push([...trail.slice(at), path].join(' -> '))
    if (at >= 0 || finished.has(path)) return
    trail.push(path)
    for (const target of next.get(path) ?? []) visit(target)
    trail.pop()
    finished.add(path)
  }
  for (const { path } of sources) visit(path)
  return found
}

/** Every folder below `src` with subfolders, and their names. `src` itself has the table of all folders. */
export function foldersOf(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folders = new Set(
    paths.flatMap((path) => path.split('/').map((_, k, parts) => parts.slice(0, k).join('/'))).filter(Boolean),
  )
  const parents = new Map<string, string[]>()
  for (const folder of [...folders].sort()) {
    const parent = posix.dirname(folder)
    if (parent !== '.') parents.set(parent, [...(parents.get(parent) ?? []), posix.basename(folder)])
  }
  return parents
}

/** The errors of a folder's table: missing folders, extra folders, and rows that import a lower folder. */
export function wrongRows(parent: string, folders: readonly string[], rows: readonly Row[] | null): string[] {
  if (rows === null) return [`${parent}/README.md has no table "| folder | may import | holds |"`]
  const names = rows.map(({ name }) => name)
  return [
    ...folders.filter((name) => !names.includes(name)).map((name) => `${parent}/README.md lacks \`${name}\``),
    ...names.filter((name) => !folders.includes(name)).map((name) => `${parent}/README.md: no folder \`${name}\``),
    ...rows.flatMap(({ name, mayImport }, k) =>
      mayImport
        .filter((other) => !names.slice(0, k).includes(other))
        .map((other) => `${parent}/README.md: \`${name}\` may import \`${other}\`, which does not stand above it`),
    ),
  ]
}

/**
 * Returns every import inside a folder that its table does not allow. Files directly in a folder are its lowest level: its folders may import
 * them, and they import none of its folders. The files that describe a feature may import all of it.
 */
export function wrongInside(sources: readonly Source[], tables: ReadonlyMap<string, readonly Row[]>): string[] {
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
        const folder = k < from.length - 1 ? from[k] : null
        if (rows.some(({ name, mayImport }) => name === folder && mayImport.includes(to[k]))) return []
        return [`${source.path}: in ${parent}, ${folder ?? 'a file'} may not import ${to[k]} (${specifier})`]
      }),
  )
}

/** Returns state in modules: a store, or a variable that changes. It should belong to a session (see src/app/session). */
export function statefulModules(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, program }) =>
    (program.body as readonly Syntax[]).flatMap((node) => {
      const declared = (node.type === 'ExportNamedDeclaration' ? node.declaration : node) as Syntax | null
      if (declared?.type !== 'VariableDeclaration') return []
      const isStore = (init: Syntax | null) =>
        init?.type === 'CallExpression' && (init.callee as Syntax).name === 'createStore'
      return (declared.declarations as readonly Syntax[])
        .filter(({ init }) => declared.kind === 'let' || isStore(init as Syntax | null))
        .map(({ id }) => `${path}: ${(id as Syntax).name}`)
    }),
  )
}

/** Returns files that act when they are imported: with a statement at their top level. */
export function importEffects(sources: readonly Source[]): string[] {
  const acts = /^(Expression|If|For|ForOf|ForIn|While|Do|Try|Switch|Block|Throw)Statement$/
  return sources
    .filter(({ program }) =>
      (program.body as readonly Syntax[]).some(({ type, directive }) => acts.test(type) && !directive),
    )
    .map(({ path }) => path)
}
