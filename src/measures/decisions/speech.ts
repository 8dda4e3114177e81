import { fill, isolated, piecesIn, t, type Values } from '../../language/translate.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'

/** A piece of a sentence. The number of a stage or worker lets a page colour its name. */
export type SentencePart = { readonly text: string; readonly stage?: number; readonly worker?: number }

/** A sentence as one text. */
export function sentenceText(parts: readonly SentencePart[]): string {
  let text = ''
  for (const part of parts) text += part.text
  return text
}

export type Speech = { stage(s: number): SentencePart; worker(w: number): SentencePart }

export function createSpeech(scenario: Scenario): Speech {
  return {
    stage: (s) => ({ text: isolated(scenario.stages[s].name), stage: s }),
    worker: (w) => ({ text: `${w + 1}`, worker: w }),
  }
}

export const plain = (text: string): SentencePart => ({ text })

/** Returns the pieces of a message in which tags stand for names. */
export function tParts(
  message: string,
  tags: Readonly<Record<string, readonly SentencePart[]>>,
  values: Values = {},
): SentencePart[] {
  const parts = fill<readonly SentencePart[]>(piecesIn(message), values, (_, tag) => tags[tag] ?? [])
  return parts.flatMap((part) => (typeof part === 'string' ? [plain(part)] : part))
}

/** `worker 8`, `workers 1, 2 and 3`, `5 workers`. */
export function workersPhrase(workers: readonly number[], speech: Speech): SentencePart[] {
  const n = workers.length
  if (n > 3) return [plain(t('{n, plural, one {# worker} other {# workers}}', { n }))]
  const who = enumerated(workers.map((worker) => [speech.worker(worker)]))
  return n > 1 ? tParts('workers <who></who>', { who }) : tParts('worker <who></who>', { who })
}

/** `A, B and C`, `5 stages`. */
export function stageNames(stages: readonly number[], speech: Speech): SentencePart[] {
  return stages.length > 3
    ? [plain(t('{n, plural, one {# stage} other {# stages}}', { n: stages.length }))]
    : enumerated(stages.map((s) => [speech.stage(s)]))
}

/** Returns `a`, `a and b`, `a, b and c`; of more than `maxClauses` the first four. */
export function enumerated(clauses: readonly (readonly SentencePart[])[], maxClauses = 5): SentencePart[] {
  const shown =
    clauses.length > maxClauses
      ? [...clauses.slice(0, 4), [plain(t('{n, number} more', { n: clauses.length - 4 }))]]
      : clauses
  const parts: SentencePart[] = []
  shown.forEach((clause, i) => {
    if (i > 0) parts.push(plain(i === shown.length - 1 ? t(' and ') : ', '))
    parts.push(...clause)
  })
  return parts
}

/** Adds a capital and a full stop. Names of stages keep their own letters. */
export function sentence(parts: readonly SentencePart[]): SentencePart[] {
  if (parts.length === 0) return []
  const [first] = parts
  const whole = [...parts, plain('. ')]
  if (first.stage === undefined)
    whole[0] = { ...first, text: first.text.slice(0, 1).toUpperCase() + first.text.slice(1) }
  return whole
}

/** Joins neighbours that name nothing. Removes the space at the end. */
export function merged(parts: readonly SentencePart[]): SentencePart[] {
  const out: SentencePart[] = []
  for (const part of parts) {
    const last = out[out.length - 1]
    const bare = part.stage === undefined && part.worker === undefined
    if (last !== undefined && bare && last.stage === undefined && last.worker === undefined)
      out[out.length - 1] = plain(last.text + part.text)
    else out.push(part)
  }
  const last = out[out.length - 1]
  if (last !== undefined) out[out.length - 1] = { ...last, text: last.text.trimEnd() }
  return out
}
