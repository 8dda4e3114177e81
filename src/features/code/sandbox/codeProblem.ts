import { msg } from '../../../language/msg.ts'

/** What is wrong with an answer of the code, by the word that the prelude uses. */
const answers: Readonly<Record<string, string>> = {
  function: msg('the code of the policy exports no function as its default'),
  list: msg('the code of the policy returned neither a list of seats nor an object of them'),
  length: msg('the code of the policy did not return as many numbers of seats as there are stages'),
  stage: msg('the code of the policy returned seats for a stage that does not exist'),
  number: msg('the code of the policy returned a number of seats that is not a whole number from 0 up'),
  many: msg('the code of the policy returned more seats than there are workers'),
  text: msg('the function describe of the policy did not return a text'),
}

/** What the errors are called that the prelude throws for a field that does not exist. */
const unknownFields: Readonly<Record<string, string>> = {
  'no field of stage': msg(
    'the code of the policy reads a field that a stage does not have (it has id, name, waiting, mean, busy, seats, done, capacity, finished)',
  ),
  'no field of view': msg('the code of the policy reads a field that the view does not have (it has workers, time, stages, memory, random)'),
}

/** The name of the code in what the sandbox reports. */
export const FILE = 'policy.js'
/** The most characters of a message of the code that are shown. */
const MOST = 200

/** What the sandbox caught: an error of the code, as texts. */
export interface Caught {
  readonly name: string
  readonly message: string
  readonly stack: string
}

/** Returns what is wrong with an answer, in English for the record. `answer`: of the prelude. `line`: where the function begins; 0 if unknown. */
export function wrongAnswer(answer: string, line: number): string {
  const [what, value] = answer.split('\n', 2)
  return placed(answers[what] ?? answers.list, line, value)
}

/** Returns what was wrong with the code: it took too long, needed too much memory, cannot be read, or threw an error. */
export function wrongCode({ name, message, stack }: Caught, source: string, interrupted: boolean): string {
  const line = Number(new RegExp(`${FILE}:(\\d+)`).exec(stack)?.[1] ?? (message.startsWith('could not load module') ? lineOfImport(source) : 0))
  if (interrupted) return placed(msg('the code of the policy took too long'), line, '')
  if (name === 'InternalError' && message === 'out of memory') return placed(msg('the code of the policy needed too much memory'), line, '')
  if (Object.hasOwn(unknownFields, name)) return placed(unknownFields[name], line, message)
  const said = [name, message].filter((text) => text !== '').join(': ')
  return placed(
    name === 'SyntaxError' && stack.trimStart().startsWith(`at ${FILE}`)
      ? msg('the code of the policy cannot be read')
      : msg('the code of the policy threw an error'),
    line,
    said,
  )
}

function placed(message: string, line: number, value: string): string {
  const short = inOneLine(value)
  return [message, ...(line > 0 ? [`line ${line}`] : []), ...(short === '' ? [] : [short])].join(': ')
}

/** Returns what the code said without control characters, and not longer than a line. */
export function inOneLine(text: string): string {
  const visible = Array.from(text.replace(/[\p{C}\u2028\u2029]/gu, ' '))
  return visible.length > MOST ? `${visible.slice(0, MOST).join('')}…` : visible.join('')
}

function lineOfImport(source: string): number {
  return source.split('\n').findIndex((line) => /\b(import|from)\b/.test(line)) + 1
}
