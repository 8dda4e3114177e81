import { posix } from 'node:path'
import { importsOf, type Source } from './sources.ts'

/** A row of the import table. `name` is a folder of `src`, or a file directly in it; `*` stands for any name. */
export interface Layer {
  readonly name: string
  readonly mayImport: readonly string[]
  readonly libraries: readonly string[]
  readonly pure: boolean
}

/** Reads the table with the columns folder, may import, libraries and pure from Markdown. Throws an Error if there is none. */
export function readTable(markdown: string): Layer[] {
  const lines = markdown.split('\n')
  const head = lines.findIndex((line) => /^\|\s*folder\s*\|\s*may import\s*\|\s*libraries\s*\|\s*pure\s*\|$/.test(line))
  if (head < 0) throw new Error('No table "| folder | may import | libraries | pure |".')
  const rows = lines.slice(head + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  const table = rows.slice(0, end < 0 ? rows.length : end).map((line) => {
    const [name, mayImport, libraries, pure] = line.split('|').slice(1, -1)
    return {
      name: quoted(name)[0],
      mayImport: quoted(mayImport),
      libraries: quoted(libraries),
      pure: pure.trim() === 'yes',
    }
  })
  const core = table.map(({ name }) => name).filter((name) => !/\.tsx?$/.test(name) && !name.startsWith('features/'))
  return table.map((row) => ({ ...row, mayImport: row.mayImport.flatMap((name) => (name === 'core' ? core : name)) }))
}

const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1])

/** Returns the row of a path below `src`: the longest matching name, so that `engine/threads` is not `engine`. */
export function layerOf(path: string, layers: readonly Layer[]): Layer | undefined {
  const parts = path.split('/')
  const holds = (name: string) => {
    const names = name.split('/')
    return names.length < parts.length && names.every((each, k) => each === '*' || each === parts[k])
  }
  const fitting = layers.filter(({ name }) => holds(name) || (parts.length === 1 && matches(path, name)))
  return fitting.sort((a, b) => b.name.length - a.name.length)[0]
}

/** Returns whether a file is an entry, which no file imports: directly in `src`, or with a name of entries. */
export function isEntry(path: string): boolean {
  return !path.includes('/') || /Entry\.tsx?$/.test(path)
}

function matches(text: string, pattern: string): boolean {
  const [before, after] = pattern.split('*')
  return after === undefined
    ? text === pattern
    : text.startsWith(before) && text.endsWith(after) && text.length > before.length + after.length
}

/** Every import that the table does not allow, and every import of a missing file. `paths` are all files below `src`. */
export function wrongArrows(sources: readonly Source[], paths: readonly string[], layers: readonly Layer[]): string[] {
  return sources.flatMap((source) => {
    const from = layerOf(source.path, layers)
    if (!from) return [`${source.path}: is in no folder of the table`]
    return importsOf(source).flatMap((specifier) => {
      const wrong = specifier.startsWith('.')
        ? wrongFile(source.path, specifier, from, paths, layers)
        : wrongLibrary(specifier, from)
      return wrong === null ? [] : [`${source.path}: ${wrong}`]
    })
  })
}

function wrongFile(
  path: string,
  specifier: string,
  from: Layer,
  paths: readonly string[],
  layers: readonly Layer[],
): string | null {
  const target = targetOf(path, specifier)
  if (!paths.includes(target)) return `imports ${specifier}, which does not exist`
  if (isEntry(target) && !(isEntry(path) && /^(page|features|studies|commands)\.ts$/.test(target)))
    return `imports ${specifier}: no file imports an entry`
  if (isEntry(target)) return null
  const to = layerOf(target, layers)
  if (!to) return `imports ${specifier}, which is in no folder of the table`
  return to === from || from.mayImport.includes(to.name)
    ? null
    : `${from.name} may not import ${to.name} (${specifier})`
}

function wrongLibrary(specifier: string, from: Layer): string | null {
  const name = specifier.startsWith('node:')
    ? specifier
    : specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  return from.libraries.some((library) => matches(name, library)) ? null : `${from.name} may not use ${name}`
}

/** A relative import as a path below `src`, without a query such as `?url`. */
export function targetOf(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier.replace(/\?.*$/, ''))
}

/** Returns every cycle of files that import each other, as a path; each cycle is named once. */
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
