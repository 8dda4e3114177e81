import { inTimes, plainNumber, readDuration, writeDuration } from '../../../app/base/forms/typedText.ts'
import { t } from '../../../language/translate.ts'
import type { Decision } from '../../../measures/decisions/decision.ts'
import { counterfactualsOf, flipSentenceOf } from '../../../measures/decisions/flipWords.ts'
import { sentenceText } from '../../../measures/decisions/speech.ts'
import { newStageName } from '../../../scenario/edit/edits.ts'
import { stageLabels } from '../../../scenario/model/linearStages.ts'
import type { PolicyKind, Problem } from '../../../scenario/model/scenario.ts'
import { quoted } from '../../../scenario/model/words.ts'
import {
  type DecisionQuestion,
  parseQuestion,
  QUESTION_VERSION,
  type QuestionRead,
} from '../../../scenario/parse/part.ts'
import { duration, exactDuration } from '../../../views/drawing/format.ts'
import { answerSentence, answerTo } from '../measure/openLoop.ts'
import { cellsOf } from '../read/logColumns.ts'

/** Returns the question in a form, or its problems in the order of the cells, at paths such as `stages[2].waiting`. */
export function readAskDraft({ workers, policy, power, rows }: AskDraft): QuestionRead {
  const unread: Problem[] = []
  const stages = rows.map(({ name, waiting, mean, done }, s) => {
    const time = readDuration(mean)
    if ('message' in time)
      unread.push({
        path: `stages[${s}].mean`,
        message: t('found {mean}; {reason}', { mean: quoted(mean), reason: time.message }),
      })
    return { name: name.trim(), waiting: numberIn(waiting), mean: 'value' in time ? time.value : 1, done }
  })
  const read = parseQuestion({
    version: QUESTION_VERSION,
    workers: numberIn(workers),
    policy: policy === 'power' ? { kind: policy, p: power } : { kind: policy },
    stages,
  })
  if (!('problems' in read)) return unread.length === 0 ? read : { problems: unread }
  const others = read.problems.map(({ path, message }) => ({
    path,
    message: asTyped(message, rows[rowOf(path)]?.mean ?? ''),
  }))
  return { problems: [...unread, ...others].sort((a, b) => placeIn(a.path) - placeIn(b.path)) }
}

/** Returns a message with times written as people type them. */
function asTyped(message: string, mean: string): string {
  const reason = inTimes(message)
  return reason === message ? message : t('found {mean}; {reason}', { mean: quoted(mean), reason })
}

/** Returns the row of a path such as `stages[2].waiting`; -1 for fields above the table. */
function rowOf(path: string): number {
  const [, row] = /^stages\[(\d+)\]/.exec(path) ?? []
  return row === undefined ? -1 : Number(row)
}

const columns = ['name', 'waiting', 'mean', 'done']

function placeIn(path: string): number {
  return (rowOf(path) + 1) * (columns.length + 1) + columns.indexOf(path.slice(path.indexOf('.') + 1)) + 1
}

/** Returns the problem of a cell; undefined if there is none. */
export function cellProblem(read: QuestionRead, path: string): string | undefined {
  return 'problems' in read ? read.problems.find((problem) => problem.path === path)?.message : undefined
}

/**
 * Returns a table that was copied from a spreadsheet or a CSV: columns name, waiting, mean, done, with or without headings. Stages without
 * names are numbered. Returns null for the text of a single cell.
 */
export function readTable(text: string): readonly AskRow[] | null {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  if (lines.length === 0) return null
  const mark = ['\t', ';', ','].find((each) => lines.every((line) => cellsOf(line, each).length > 1))
  if (mark === undefined) return null
  const cells = lines.map((line) => cellsOf(line, mark).map((cell) => cell.trim()))
  const headed = cells[0].every(
    (cell) => cell !== '' && typeof numberIn(cell) === 'string' && 'message' in readDuration(cell),
  )
  const order = headed ? columnsOf(cells[0]) : columnsWithout(cells[0])
  return (headed ? cells.slice(1) : cells).map((row, s) => {
    const cell = (column: number) => (column < 0 ? '' : (row[column] ?? ''))
    return {
      name: cell(order.name) || newStageName(String(s + 1)),
      waiting: cell(order.waiting),
      mean:
        order.unit !== '' && /^[\d.,]+$/.test(cell(order.mean))
          ? `${cell(order.mean)} ${order.unit}`
          : cell(order.mean),
      done: /^(1|x|y|yes|true|done)$/i.test(cell(order.done)),
    }
  })
}

/** Returns the place of each column, and the unit of a mean that has none, from a heading such as `mean (us)`. */
function columnsOf(headings: readonly string[]) {
  const find = (words: RegExp) => headings.findIndex((heading) => words.test(heading))
  const mean = find(/mean|service|time|cost/i)
  return {
    name: find(/name|stage/i),
    waiting: find(/wait|queue|length/i),
    mean,
    done: find(/done|finished/i),
    unit: /\b(us|µs|ms|s|min|h)\b/.exec(headings[mean] ?? '')?.[1] ?? '',
  }
}

function columnsWithout(first: readonly string[]): ReturnType<typeof columnsOf> {
  return typeof numberIn(first[0]) === 'string'
    ? { name: 0, waiting: 1, mean: 2, done: 3, unit: '' }
    : { name: -1, waiting: 0, mean: 1, done: 2, unit: '' }
}

/** Returns a number that people write, such as `1,200`; for other text the text itself, so that the problem can show it. */
function numberIn(text: string): number | string {
  const plain = plainNumber(text)
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text
}

/** A question as it is typed into the form. */
export interface AskDraft {
  readonly workers: string
  readonly policy: PolicyKind
  /** The p of the policy `power`. */
  readonly power: number
  readonly rows: readonly AskRow[]
}

export type AskRow = Readonly<Record<'name' | 'waiting' | 'mean', string>> & { readonly done: boolean }

/** Returns the example in which least total time and Jefferson differ: (5, 1, 1, 1) against (8, 0, 0, 0). */
export const exampleDraft = (): AskDraft => ({
  workers: '8',
  policy: 'leastScore',
  power: 2,
  rows: [900, 100, 100, 100].map((waiting, s) => ({
    name: 'ABCD'[s],
    waiting: String(waiting),
    mean: writeDuration(1000),
    done: false,
  })),
})

export function askDraftOf({ scenario, asked }: DecisionQuestion): AskDraft {
  return {
    workers: String(scenario.workers),
    policy: scenario.policy.kind,
    power: scenario.policy.kind === 'power' ? scenario.policy.p : 2,
    rows: scenario.stages.map(({ name }, s) => ({
      name,
      waiting: String(asked[s].waiting),
      mean: writeDuration(asked[s].mean),
      done: asked[s].done,
    })),
  }
}

/**
 * Returns the answer to a question for the terminal: the seats and what would have changed them, as sentences. Or as JSON, with the seats that the
 * policy gives after each change that the sentence states; `mean` is in microseconds:
 *
 *   { "seats": { "Parse": 0 }, "sentence": "...", "counterfactuals": [{ "stage": "Parse", "waiting": 1, "seats": { "Parse": 4 } }] }
 */
export function answerText(question: DecisionQuestion, json: boolean): string {
  const decision = answerTo(question)
  return json
    ? JSON.stringify(answerFigures(question, decision), null, 2)
    : answerSentences(question, decision).join('\n')
}

/** Returns the seats of a decision and what would have changed them, as sentences. */
export function answerSentences(question: DecisionQuestion, decision: Decision): string[] {
  return [answerSentence(question, decision), flipSentenceOf(question.scenario, decision, duration, exactDuration)]
    .map(sentenceText)
    .filter((text) => text !== '')
}

/** Returns the same for JSON. */
export function answerFigures(question: DecisionQuestion, decision: Decision) {
  const { scenario } = question
  const labels = stageLabels(scenario)
  const byStage = (seats: readonly number[]) => Object.fromEntries(labels.map((label, s) => [label, seats[s]]))
  return {
    seats: byStage(decision.stages.map(({ seatsAfter }) => seatsAfter)),
    sentence: answerSentences(question, decision).join(' '),
    counterfactuals: counterfactualsOf(scenario, decision).map(({ stage, change, seats }) => ({
      stage: labels[stage],
      ...change,
      seats: byStage(seats),
    })),
  }
}
