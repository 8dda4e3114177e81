import { messagePieces, type Piece } from '../../src/language/message.ts'
import { type Source, type Syntax, walk } from '../architecture/sources.ts'

/** The messages of a source file, and their problems. */
export interface FileTexts {
  /** Every message that is a literal in a call, with its place. */
  readonly messages: readonly { readonly message: string; readonly place: string }[]
  /** Calls whose message is not a literal. */
  readonly wrong: readonly string[]
  /** Calls whose values differ from those that the message names: one is missing or unused. */
  readonly unfilled: readonly string[]
  /** Texts on the screen that are not translated. */
  readonly bare: readonly string[]
}

/** By function, which of its arguments are messages. */
const messageArguments: Readonly<Record<string, readonly number[]>> = {
  t: [0],
  tParts: [0],
  msg: [0],
  rangeChoices: [0],
  numberChoices: [0],
  tryValue: [0],
}
/** By function, which of its arguments has the values. */
const valuesAt: Readonly<Record<string, number>> = { t: 1, tParts: 2 }
/** Files that translate the texts of presets and lessons, which are no literals there. */
const passingFiles = new Set(['scenario/presets/preset.ts', 'features/lessons/content/lesson.ts'])
/** The keys of presets and lessons that contain messages. Calls of `t` there are found as calls. */
const messageKeys = new Set(['title', 'about', 'text', 'task', 'hint', 'ask', 'unit', 'conclusion'])
/** Attributes of elements that appear on the screen or in a screen reader. */
const read = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'aria-valuetext',
  'label',
  'placeholder',
  'title',
])
/** Attributes of components that are shown. */
const shown = new Set([...read, 'name'])
/** Names and symbols that are the same in every language. */
const names = new Set(['Apportion'])

export function textsIn({ path, program }: Source, text: string): FileTexts {
  const messages: { message: string; place: string }[] = []
  const wrong: string[] = []
  const bare: string[] = []
  const unfilled: string[] = []
  const at = (node: Syntax) => `${path}:${text.slice(0, node.start as number).split('\n').length}`
  const addMessage = (node: Syntax | undefined, where: Syntax) => {
    if (node?.type === 'Literal' && typeof node.value === 'string')
      messages.push({ message: node.value, place: at(where) })
    else if (!passingFiles.has(path)) wrong.push(at(where))
  }
  walk(program, (node) => {
    const callee = node.callee as Syntax | undefined
    if (node.type === 'CallExpression' && callee?.type === 'Identifier') {
      const given = node.arguments as Syntax[]
      for (const argument of messageArguments[callee.name as string] ?? []) addMessage(given[argument], node)
      if (callee.name === 'choiceOf') for (const choice of given) addMessage((choice.elements as Syntax[])[0], node)
      if (callee.name === 'setAndRun')
        for (const field of given)
          for (const text of (field.elements as Syntax[]).slice(0, 2))
            if (!isParameter(text.value)) addMessage(text, node)
      const problem =
        valuesAt[callee.name as string] === undefined
          ? null
          : fillProblem(given[0], given[valuesAt[callee.name as string]])
      if (problem !== null) unfilled.push(`${at(node)} ${problem}`)
    }
    if (
      node.type === 'ObjectExpression' &&
      /^(features\/lessons\/content\/|features\/game\/scores|features\/known\/content\/|features\/stageCode\/page\/templates|scenario\/presets\/)/.test(
        path,
      )
    )
      for (const { key, value } of node.properties as { key?: Syntax; value?: Syntax }[])
        if (messageKeys.has(String(key?.name)) && value?.type === 'Literal') addMessage(value, value)
    if (node.type === 'JSXOpeningElement' && (node.name as Syntax).name === 'Translated') {
      const attribute = (node.attributes as Syntax[]).find(({ name }) => (name as Syntax).name === 'text')
      addMessage(attribute?.value as Syntax | undefined, node)
    }
    if (node.type === 'JSXText' && isWords(node.value as string))
      bare.push(`${at(node)} ${(node.value as string).trim()}`)
    if (node.type === 'JSXOpeningElement') {
      const isComponent = /^[A-Z]/.test(String((node.name as Syntax).name))
      for (const { name, value } of node.attributes as { name?: Syntax; value?: Syntax | null }[])
        if (
          (isComponent ? shown : read).has(name?.name as string) &&
          value?.type === 'Literal' &&
          isWords(value.value as string)
        )
          bare.push(`${at(node)} ${value.value}`)
    }
  })
  return { messages, wrong, unfilled, bare }
}

/** What is wrong with the values of a message if both are in the call; null if nothing is, or it is unknown. */
function fillProblem(message: Syntax | undefined, values: Syntax | undefined): string | null {
  if (message?.type !== 'Literal' || typeof message.value !== 'string') return null
  if (values !== undefined && values.type !== 'ObjectExpression') return null
  const properties = (values?.properties ?? []) as readonly Syntax[]
  if (properties.some(({ type }) => type !== 'Property')) return null
  const given = new Set(properties.map(({ key }) => String((key as Syntax).name ?? (key as Syntax).value)))
  const wanted = namesIn(messagePieces(message.value))
  const lacking = [...wanted].filter((name) => !given.has(name))
  const idle = [...given].filter((name) => !wanted.has(name))
  return lacking.length + idle.length === 0 ? null : `"${message.value}" lacks {${lacking}}, does not use {${idle}}`
}

/** The values of a message. */
function namesIn(pieces: readonly Piece[]): Set<string> {
  return new Set(
    pieces.flatMap((piece) => {
      if (typeof piece === 'string') return []
      if (piece.kind === 'tag') return [...namesIn(piece.inside)]
      return piece.kind === 'plural'
        ? [piece.name, ...Object.values(piece.forms).flatMap((form) => [...namesIn(form)])]
        : [piece.name]
    }),
  )
}

/** Parameters of known systems have the same name in every language. */
function isParameter(text: unknown): boolean {
  return /^[a-z]+(_[a-z]+)+$/.test(String(text))
}

function isWords(text: string): boolean {
  return /\p{L}{2}/u.test(text) && !names.has(text.trim())
}
