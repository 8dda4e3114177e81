import type { Source, Syntax } from './sources.ts'

const dusty = new Set([
  'util',
  'utils',
  'type',
  'types',
  'lib',
  'libs',
  'helper',
  'helpers',
  'common',
  'misc',
  'shared',
])

/** Folders whose name says nothing about their content. */
export function dustyFolders(paths: readonly string[]): string[] {
  return paths.filter((path) =>
    path
      .split('/')
      .slice(0, -1)
      .some((folder) => dusty.has(folder)),
  )
}

/** Files that re-export others: `export *` anywhere, a file called index, or one with nothing else. */
export function barrels(sources: readonly Source[]): string[] {
  return sources.filter(isBarrel).map((source) => source.path)
}

function isBarrel({ path, program }: Source): boolean {
  const body = program.body as readonly Syntax[]
  const passesOn = body.filter(
    (node) => node.type === 'ExportAllDeclaration' || (node.type === 'ExportNamedDeclaration' && node.source),
  )
  const rest = body.filter((node) => node.type !== 'ImportDeclaration' && !passesOn.includes(node))
  const everything = body.some((node) => node.type === 'ExportAllDeclaration')
  return everything || /(^|\/)index\.tsx?$/.test(path) || (passesOn.length > 0 && rest.length === 0)
}
