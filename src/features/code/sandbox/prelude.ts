import { msg } from '../../../language/msg.ts'

/**
 * The text that runs in the sandbox before the code of a policy. It keeps its built-ins, so that the code cannot change the checks. Its value
 * is a function of the seed, the stages as JSON and the numbers of scheduler/codePolicy.ts. `start`, which takes the exports of the code, and
 * `decide` write -1 into the first number or return the problem: a word, a line break, a value. `describe` answers in the same way.
 */
export const prelude = `(() => {
'use strict'
const { isArray } = Array, { isInteger } = Number, { hasOwn, keys } = Object, { imul } = Math, { parse } = JSON, Text = String
const lineOf = Reflect.getOwnPropertyDescriptor(Function.prototype, 'lineNumber')?.get ?? (() => 0), { apply } = Reflect
const Numbers = Float64Array, Waiting = Promise, Unknown = ReferenceError, { slice } = Text.prototype, Guard = Proxy
// A field that does not exist throws: undefined would lead to numbers that are hard to explain.
const guarded = (whole) => new Guard({}, {
  __proto__: null,
  get(target, key) {
    if (typeof key !== 'string' || key in target || key === 'toJSON' || key === 'then') return target[key]
    const error = new Unknown(key)
    error.name = 'no field of ' + whole
    throw error
  },
})
const ofStage = guarded('stage'), ofView = guarded('view')
return (seed, json, buffer) => {
  const numbers = new Numbers(buffer)
  const known = parse(json)
  const indexOf = { __proto__: null }
  for (let s = 0; s < known.length; s++) indexOf[known[s].id] = s
  const memory = {}
  let allocate, describe
  let state = seed | 0
  // Each step is a mixer of 32 bits over a counter (Wellons 2018).
  const draw = () => {
    state = (state + 0x9e3779b9) | 0
    let x = state
    x = imul(x ^ (x >>> 16), 0x7feb352d)
    x = imul(x ^ (x >>> 15), 0x846ca68b)
    return (x ^ (x >>> 16)) >>> 0
  }
  const random = () => (draw() * 0x100000 + (draw() >>> 12)) / 0x10000000000000
  Math.random = random
  const view = () => {
    const stages = []
    for (let s = 0, at = 2; s < known.length; s++, at += 7) {
      const { id, name, capacity } = known[s]
      stages[s] = {
        __proto__: ofStage, id, name, waiting: numbers[at], mean: numbers[at + 1], busy: numbers[at + 2], seats: numbers[at + 3],
        done: numbers[at + 4] === 1, capacity, finished: numbers[at + 5],
      }
    }
    return { __proto__: ofView, workers: numbers[0], time: numbers[1], stages, memory, random }
  }
  const shown = (value) => typeof value === 'string' ? '"' + value + '"' : typeof value === 'number' || value === undefined || value === null ? Text(value) : typeof value
  return {
    start(own) {
      if (own instanceof Waiting) return 'await\\n'
      allocate = own.default
      if (typeof allocate !== 'function') return 'function\\n' + shown(allocate)
      numbers[1] = apply(lineOf, allocate, [])
      numbers[2] = own.lend === false ? 0 : 1
      describe = own.describe
      numbers[3] = typeof describe === 'function' ? 1 : 0
      numbers[0] = -1
    },
    decide() {
      const most = numbers[0]
      const seats = allocate(view())
      const list = isArray(seats)
      if (!list && (typeof seats !== 'object' || seats === null)) return 'list\\n' + shown(seats)
      if (list && seats.length !== known.length) return 'length\\n' + seats.length + ' / ' + known.length
      if (!list) {
        const named = keys(seats)
        if (named.length === 0 && known.length > 0) return 'list\\n' + typeof seats
        for (let k = 0; k < named.length; k++) if (indexOf[named[k]] === undefined) return 'stage\\n' + named[k]
      }
      let sum = 0
      for (let s = 0, at = 8; s < known.length; s++, at += 7) {
        const n = list ? seats[s] : hasOwn(seats, known[s].id) ? seats[known[s].id] : 0
        if (!isInteger(n) || n < 0) return 'number\\n' + known[s].name + ': ' + shown(n)
        sum += n
        numbers[at] = n
      }
      if (sum > most) return 'many\\n' + sum + ' / ' + most
      numbers[0] = -1
    },
    describe() {
      const seats = []
      for (let s = 0, at = 8; s < known.length; s++, at += 7) seats[s] = numbers[at]
      const text = describe(view(), seats)
      return typeof text === 'string' ? 'words\\n' + apply(slice, text, [0, 1000]) : 'text\\n' + shown(text)
    },
  }
}
})()`

const NOT_SEATS = msg(
  'the code of the policy must return a whole number of seats for each stage: a list in listing order, or an object by stage id',
)

/** The problem of an answer of the code, by the word that the prelude returns. */
const answers: Readonly<Record<string, string>> = {
  await: msg('the code of the policy waits with await outside of a function, where it cannot wait'),
  function: msg('the code of the policy exports no function as its default'),
  list: NOT_SEATS,
  length: NOT_SEATS,
  stage: NOT_SEATS,
  number: NOT_SEATS,
  many: msg('the code of the policy returned more seats than there are workers'),
  text: msg('the function describe of the policy did not return a text'),
}

/** The messages by the name of the error; the prelude throws one for a field that does not exist. */
const unknownFields: Readonly<Record<string, string>> = {
  'no field of stage': msg(
    'the code of the policy reads a field that a stage does not have (it has id, name, waiting, mean, busy, seats, done, capacity, finished)',
  ),
  'no field of view': msg(
    'the code of the policy reads a field that the view does not have (it has workers, time, stages, memory, random)',
  ),
}

/** The file name of the code in the messages of the sandbox. */
export const FILE = 'policy.js'
/** How many characters of a message of the code are shown. */
const MAX_SHOWN = 200

/** An error of the code that the sandbox caught, as texts. */
export type Caught = { readonly name: string; readonly message: string; readonly stack: string }

/** Returns the problem of an answer of the prelude, in English for the record. `line`: where the function begins; 0 if unknown. */
export function wrongAnswer(answer: string, line: number): string {
  const [kind, value] = answer.split('\n', 2)
  return placed(answers[kind] ?? answers.list, line, value)
}

/** Returns why the code failed: it took too long, needed too much memory, cannot be read, or threw an error. */
export function wrongCode({ name, message, stack }: Caught, source: string, interrupted: boolean): string {
  const line = Number(
    new RegExp(`${FILE}:(\\d+)`).exec(stack)?.[1] ??
      (message.startsWith('could not load module') ? lineOfImport(source) : 0),
  )
  if (interrupted) return placed(msg('the code of the policy took too long'), line, '')
  if (name === 'InternalError' && message === 'out of memory')
    return placed(msg('the code of the policy needed too much memory'), line, '')
  if (Object.hasOwn(unknownFields, name)) return placed(unknownFields[name], line, message)
  const details = [name, message].filter((text) => text !== '').join(': ')
  const unread = name === 'SyntaxError' && stack.trimStart().startsWith(`at ${FILE}`)
  return placed(
    unread ? msg('the code of the policy cannot be read') : msg('the code of the policy threw an error'),
    line,
    details,
  )
}

function placed(message: string, line: number, value: string): string {
  const short = inOneLine(value)
  return [message, ...(line > 0 ? [`line ${line}`] : []), ...(short === '' ? [] : [short])].join(': ')
}

/** Returns a text of the code without control characters, in at most one line. */
export function inOneLine(text: string): string {
  const visible = Array.from(text.replace(/[\p{C}\u2028\u2029]/gu, ' '))
  return visible.length > MAX_SHOWN ? `${visible.slice(0, MAX_SHOWN).join('')}…` : visible.join('')
}

function lineOfImport(source: string): number {
  return source.split('\n').findIndex((line) => /\b(import|from)\b/.test(line)) + 1
}
