import { type Source, type Syntax, walk } from './sources.ts'

/** Exact by the definition of the language, hence equal everywhere. Other functions of Math may differ in the last bits, or are random. */
const exact = new Set([
  'abs',
  'ceil',
  'clz32',
  'floor',
  'fround',
  'imul',
  'max',
  'min',
  'round',
  'sign',
  'sqrt',
  'trunc',
])

/** Clocks, random numbers, locales, and ways to reach them: a pure folder receives these as values. */
const outside = new Set([
  'Date',
  'Intl',
  'crypto',
  'globalThis',
  'performance',
  'queueMicrotask',
  'requestAnimationFrame',
  'setInterval',
  'setTimeout',
])

/** Methods whose result depends on the language of the machine. */
const local = /^(localeCompare|toLocale\w*)$/

/** Returns the impurities of a file, with the reason; empty for a pure file. */
export function impurities({ path, program }: Source): string[] {
  const found: string[] = []
  walk(program, (node, parent, key) => {
    const what = impurity(node, parent, key)
    if (what) found.push(`${path}: ${what}`)
  })
  return found
}

function impurity(node: Syntax, parent: Syntax | null, key: string): string | null {
  if (
    (node.type === 'BinaryExpression' && node.operator === '**') ||
    (node.type === 'AssignmentExpression' && node.operator === '**=')
  ) {
    return '** differs in its last bits between engines'
  }
  if (node.type !== 'Identifier' || typeof node.name !== 'string') return null
  const isMember = parent?.type === 'MemberExpression' && key === 'property' && parent.computed === false
  if (isMember) return local.test(node.name) ? `${node.name} depends on the machine's language` : null
  const isName =
    /^(Property|MethodDefinition|PropertyDefinition|TSPropertySignature|TSMethodSignature)$/.test(parent?.type ?? '') &&
    key === 'key'
  if (isName || parent?.type === 'TSTypeReference') return null
  if (outside.has(node.name)) return `${node.name} is not for pure rooms`
  return node.name === 'Math' ? wrongMath(parent, key) : null
}

/** Math may only be followed by a dot and an exact function: under another name the called function would be unknown. */
function wrongMath(parent: Syntax | null, key: string): string | null {
  const member =
    parent?.type === 'MemberExpression' && key === 'object' && parent.computed === false
      ? (parent.property as Syntax).name
      : null
  if (typeof member !== 'string') return 'Math may only be used as Math.name'
  return exact.has(member) ? null : `Math.${member} differs between engines, or is chance`
}
