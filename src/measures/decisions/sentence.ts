import { isolated } from '../../language/isolated.ts'
import { fill, inEnglish, piecesIn, t, type Values } from '../../language/translate.ts'
import { isPinned } from '../../scenario/model/defaults.ts'
import { type PhaseKey, phaseKeys, type Scenario } from '../../scenario/model/scenario.ts'
import type { Decision, StageBallot } from './decision.ts'

/** A piece of a sentence. Where it names a stage or a worker it has its number, so that a page may colour it. */
export interface SentencePart {
  readonly text: string
  readonly stage?: number
  readonly worker?: number
}

/** The parts of a decision that its sentence needs. */
export interface Told extends Pick<Decision, 'policy' | 'facts' | 'orders'> {
  readonly stages: readonly Pick<StageBallot, 'waiting' | 'done' | 'busy' | 'seatsBefore' | 'seatsAfter'>[]
}

/**
 * Returns a decision in plain words: "Worker 8 finished a batch of 4. Validate was the stage furthest below its share, so the
 * seat goes there. Worker 8 leaves Write for Validate." Workers are numbered from 1.
 */
export function sentenceOf(scenario: Scenario, decision: Told): SentencePart[] {
  return merged(partsOf(scenario, createSpeech(scenario), decision))
}

/** The same as one text in English, for files with millions of sentences. */
export function spoken(scenario: Scenario, speech: Speech, decision: Told): string {
  return inEnglish(() => sentenceText(partsOf(scenario, speech, decision)).trimEnd())
}

function partsOf(scenario: Scenario, speech: Speech, decision: Told): SentencePart[] {
  const parts = sentence(enumerated(causesOf(scenario, decision, speech)))
  parts.push(...sentence(reasonOf(decision, speech)), ...sentence(movesOf(decision, speech)))
  return parts
}

/** A sentence as one text. */
export function sentenceText(parts: readonly SentencePart[]): string {
  let text = ''
  for (const part of parts) text += part.text
  return text
}

export interface Speech {
  stage(s: number): SentencePart
  worker(w: number): SentencePart
}

export function createSpeech(scenario: Scenario): Speech {
  return {
    stage: (s) => ({ text: isolated(scenario.stages[s].name), stage: s }),
    worker: (w) => ({ text: `${w + 1}`, worker: w }),
  }
}

/** Words that name nothing. */
export const plain = (text: string): SentencePart => ({ text })

/**
 * Returns the pieces of a message in which tags stand for names: `sayParts('worker <worker></worker> joined', { worker:
 * [speech.worker(0)] })`.
 */
export function tParts(message: string, tags: Readonly<Record<string, readonly SentencePart[]>>, values: Values = {}): SentencePart[] {
  const parts = fill<readonly SentencePart[]>(piecesIn(message), values, (_, tag) => tags[tag] ?? [])
  return parts.flatMap((part) => (typeof part === 'string' ? [plain(part)] : part))
}

/** What happened, a clause each. */
function causesOf({ later }: Scenario, { facts }: Told, speech: Speech): SentencePart[][] {
  const clauses: SentencePart[][] = []
  const finished = facts.filter(({ kind }) => kind === 'finished')
  if (finished.length > 0) {
    const [who, n] = [crowd(finished, speech), finished.length]
    clauses.push(
      finished.every(({ jobs }) => jobs === 1)
        ? tParts('{n, plural, one {<who></who> finished a job} other {<who></who> finished a job each}}', { who }, { n })
        : tParts('{n, plural, one {<who></who> finished a batch of {jobs}} other {<who></who> finished}}', { who }, { n, jobs: finished[0].jobs }),
    )
  }
  for (const { worker, stage } of facts.filter(({ kind }) => kind === 'threw').slice(0, 1)) {
    clauses.push(tParts('a job of worker <worker></worker> threw at <stage></stage>', { worker: [speech.worker(worker)], stage: [speech.stage(stage)] }))
  }
  const lost = facts.filter(({ kind }) => kind === 'lost')
  if (lost.length > 0)
    clauses.push(tParts('{n, plural, one {<who></who> was lost} other {<who></who> were lost}}', { who: crowd(lost, speech) }, { n: lost.length }))
  const joined = facts.filter(({ kind }) => kind === 'joined')
  if (joined.length > 0)
    clauses.push(tParts('{n, plural, one {<who></who> joined} other {<who></who> joined}}', { who: crowd(joined, speech) }, { n: joined.length }))
  const turned = later.length === 0 ? [] : facts.filter(({ kind }) => kind === 'turned').flatMap(({ job, jobs }) => later.slice(job, job + jobs))
  if (turned.length > 0) for (const key of phaseKeys) if (turned.some((turn) => turn[key] !== undefined)) clauses.push([plain(turns()[key])])
  const arrived = facts.reduce((sum, { kind, jobs }) => (kind === 'arrived' ? sum + jobs : sum), 0)
  if (arrived > 0) clauses.push([plain(t('{n, plural, one {a job arrived} other {# jobs arrived}}', { n: arrived }))])
  return clauses.length > 0 ? clauses : [[plain(t('the source ran dry'))]]
}

/** What a new phase of the scenario may change. */
const turns = (): Readonly<Record<PhaseKey, string>> => ({
  policy: t('another rule took over'),
  estimator: t('another estimator took over'),
  batch: t('batches changed'),
  switchCost: t('the cost of changing stage changed'),
  groupSwitchCost: t('the cost of changing group changed'),
  cores: t('the number of cores changed'),
})

/** `worker 8`, `workers 1, 2 and 3`, `5 workers`. */
function crowd(facts: readonly { readonly worker: number }[], speech: Speech): SentencePart[] {
  const n = facts.length
  if (n > 3) return [plain(t('{n, plural, one {# worker} other {# workers}}', { n }))]
  const who = enumerated(facts.map(({ worker }) => [speech.worker(worker)]))
  return n > 1 ? tParts('workers <who></who>', { who }) : tParts('worker <who></who>', { who })
}

/** Why the seats are as they are. */
function reasonOf(decision: Told, speech: Speech): SentencePart[] {
  const { policy, stages, orders } = decision
  if (policy === 'single')
    return orders.length === 0
      ? [plain(t('one worker does it all and is still busy'))]
      : tParts('one worker does it all: <who></who>', { who: going(decision, speech) })
  if (policy === 'fixed' || policy === 'onePerStage' || policy === 'greenThreads') {
    const why =
      policy === 'fixed'
        ? t('the seats of every stage are fixed')
        : policy === 'onePerStage'
          ? t('every stage has its one worker')
          : t('every stage has its own threads')
    return orders.length === 0
      ? [plain(t('{why}, so what waits must wait for its own workers', { why }))]
      : tParts('{why}: <who></who>', { who: going(decision, speech) }, { why })
  }
  if (policy === 'pid' || policy === 'threshold') {
    const why = t('every stage has its own pool, which only its controller changes')
    return orders.length === 0
      ? [plain(t('{why}, so what waits must wait for it', { why }))]
      : tParts('{why}: <who></who>', { who: going(decision, speech) }, { why })
  }
  const change = stages.map(({ seatsBefore, seatsAfter }) => seatsAfter - seatsBefore)
  const gainers = numbersWhere(change, (seats) => seats > 0)
  const losers = numbersWhere(change, (seats) => seats < 0)
  if (policy === 'byHand') {
    const why = t('the seats were given by hand')
    return gainers.length + losers.length === 0
      ? [plain(t('{why}, and stay as they are', { why }))]
      : tParts('{why}: <who></who>', { who: exchangeOf(gainers, losers, change, speech) }, { why })
  }
  if (policy === 'backpressure' || policy === 'sinkFirst') {
    const why = policy === 'sinkFirst' ? t('the stages nearest the sink come first') : t('the seats go where a queue presses most upon the next one')
    return gainers.length + losers.length === 0
      ? [plain(t('{why}, and every stage has its seats already', { why }))]
      : tParts('{why}: <who></who>', { who: exchangeOf(gainers, losers, change, speech) }, { why })
  }
  if (gainers.length + losers.length === 0) {
    const moved = orders.some(({ from, stage }) => from >= 0 && from !== stage)
    return [plain(moved ? t('the shares stay as they are') : t('every stage has its share already, so no seat changes hands'))]
  }
  if (losers.length > 0 && gainers.length > 0 && losers.every((s) => stages[s].done)) {
    const seats = losers.reduce((sum, s) => sum - change[s], 0)
    return tParts(
      '{n, plural, one {<from></from> is done, so its} other {<from></from> are done, so their}} {seats, plural, one {seat goes} other {seats go}} to <to></to>',
      { from: names(losers, speech), to: names(gainers, speech) },
      { n: losers.length, seats },
    )
  }
  if (gainers.length === 1 && stages.every(({ waiting }, s) => s === gainers[0] || waiting === 0)) {
    return tParts(
      'all the work that waits is at <stage></stage>, so {seats, plural, =1 {the seat goes} =2 {both seats go} other {all # seats go}} there',
      { stage: [speech.stage(gainers[0])] },
      { seats: stages[gainers[0]].seatsAfter },
    )
  }
  if (losers.length > 0 && gainers.length === 1 && change[gainers[0]] === 1) {
    const stage = [speech.stage(gainers[0])]
    return policy === 'longestQueue'
      ? tParts('<stage></stage> had the longest queue for its workers, so the seat goes there', { stage })
      : tParts('<stage></stage> was the stage furthest below its share, so the seat goes there', { stage })
  }
  return exchangeOf(gainers, losers, change, speech)
}

/** Which stage takes how many seats from which. */
function exchangeOf(gainers: readonly number[], losers: readonly number[], change: readonly number[], speech: Speech): SentencePart[] {
  const of = (s: number) => ({ stage: [speech.stage(s)] })
  const gains = (s: number) => ({ n: change[s] })
  const takes = (s: number) => tParts('<stage></stage> takes {n, plural, one {a seat} other {# seats}}', of(s), gains(s))
  const givesUp = (s: number) => tParts('<stage></stage> gives up {n, plural, one {a seat} other {# seats}}', of(s), { n: -change[s] })
  // Where seats were added or are left empty, a gain is nobody's loss.
  const even = change.reduce((sum, seats) => sum + seats, 0) === 0
  const [gainer] = gainers
  const [loser] = losers
  if (!even || (gainers.length > 1 && losers.length !== 1) || gainers.length === 0 || losers.length === 0)
    return enumerated([...gainers.map(takes), ...losers.map(givesUp)])
  if (gainers.length === 1 && losers.length === 1) {
    return tParts(
      '<stage></stage> takes {n, plural, one {a seat} other {# seats}} from <from></from>',
      { ...of(gainer), from: [speech.stage(loser)] },
      gains(gainer),
    )
  }
  if (losers.length === 1) {
    const who = enumerated(gainers.map((s) => tParts('{n} to <stage></stage>', of(s), gains(s))))
    return tParts('<stage></stage> gives {n, plural, one {a seat} other {# seats}}: <who></who>', { ...of(loser), who }, { n: -change[loser] })
  }
  const who = enumerated(losers.map((s) => tParts('{n} from <stage></stage>', of(s), { n: -change[s] })))
  return tParts('<stage></stage> takes {n, plural, one {a seat} other {# seats}}: <who></who>', { ...of(gainer), who }, gains(gainer))
}

/** Where the workers go, for policies without votes. */
function going({ orders }: Told, speech: Speech): SentencePart[] {
  if (orders.length > 3) return [plain(t('{n, plural, one {# worker begins} other {# workers begin}}', { n: orders.length }))]
  return enumerated(
    orders.map(({ worker, from, stage, prefetch: ahead }) => {
      const tags = { worker: [speech.worker(worker)], stage: [speech.stage(stage)] }
      if (ahead) return tParts('worker <worker></worker> gets its next batch ahead at <stage></stage>', tags)
      if (from === stage) return tParts('worker <worker></worker> goes on at <stage></stage>', tags)
      if (from < 0) return tParts('worker <worker></worker> goes to <stage></stage>', tags)
      return tParts('worker <worker></worker> leaves <from></from> for <stage></stage>', { ...tags, from: [speech.stage(from)] })
    }),
  )
}

/** Which workers change stage, and which work where they have no seat. */
function movesOf({ orders, stages, policy }: Told, speech: Speech): SentencePart[] {
  if (isPinned(policy)) return []
  const manned = stages.map(({ busy }) => busy)
  const clauses: SentencePart[][] = []
  let [moves, helps] = [0, 0]
  // Where no share changed, an earlier decision left a seat empty.
  const free = stages.every(({ seatsBefore, seatsAfter }) => seatsBefore === seatsAfter)
  for (const { worker, from, stage, prefetch: ahead } of orders) {
    if (ahead) continue
    const moved = from >= 0 && from !== stage
    const seated = ++manned[stage] <= stages[stage].seatsAfter
    if (moved) moves++
    if (!seated) helps++
    const tags = { worker: [speech.worker(worker)], stage: [speech.stage(stage)] }
    if (moved) {
      const left = { ...tags, from: [speech.stage(from)] }
      if (!seated) clauses.push(tParts('worker <worker></worker> leaves <from></from> to lend a hand at <stage></stage>', left))
      else if (free) clauses.push(tParts('worker <worker></worker> leaves <from></from> for the free seat at <stage></stage>', left))
      else clauses.push(tParts('worker <worker></worker> leaves <from></from> for <stage></stage>', left))
    } else if (!seated) clauses.push(tParts('worker <worker></worker> lends a hand at <stage></stage>', tags))
    else if (from >= 0 && orders.length === 1) clauses.push(tParts('worker <worker></worker> goes on at <stage></stage>', tags))
  }
  if (clauses.length <= 3) return enumerated(clauses)
  const crowds: SentencePart[][] = []
  if (moves > 0) crowds.push([plain(t('{n, plural, one {# worker changes stage} other {# workers change stage}}', { n: moves }))])
  if (helps > 0) {
    const lent =
      moves > 0
        ? t('{n, plural, one {# lends a hand where it has no seat} other {# lend a hand where they have no seat}}', { n: helps })
        : t('{n, plural, one {# lends a hand where it has no seat} other {# workers lend a hand where they have no seat}}', { n: helps })
    crowds.push([plain(lent)])
  }
  return enumerated(crowds)
}

function names(stages: readonly number[], speech: Speech): SentencePart[] {
  return stages.length > 3 ? [plain(t('{n, plural, one {# stage} other {# stages}}', { n: stages.length }))] : enumerated(stages.map((s) => [speech.stage(s)]))
}

function numbersWhere(values: readonly number[], holds: (value: number) => boolean): number[] {
  const numbers: number[] = []
  for (let i = 0; i < values.length; i++) if (holds(values[i])) numbers.push(i)
  return numbers
}

/** Returns `a`, `a and b`, `a, b and c`; of many the first four. */
export function enumerated(clauses: readonly (readonly SentencePart[])[]): SentencePart[] {
  const shown = clauses.length > 5 ? [...clauses.slice(0, 4), [plain(t('{n, number} more', { n: clauses.length - 4 }))]] : clauses
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
  if (first.stage === undefined) whole[0] = { ...first, text: first.text.slice(0, 1).toUpperCase() + first.text.slice(1) }
  return whole
}

/** Joins neighbours that name nothing. Removes the space at the end. */
export function merged(parts: readonly SentencePart[]): SentencePart[] {
  const out: SentencePart[] = []
  for (const part of parts) {
    const last = out[out.length - 1]
    const bare = part.stage === undefined && part.worker === undefined
    if (last !== undefined && bare && last.stage === undefined && last.worker === undefined) out[out.length - 1] = plain(last.text + part.text)
    else out.push(part)
  }
  const last = out[out.length - 1]
  if (last !== undefined) out[out.length - 1] = { ...last, text: last.text.trimEnd() }
  return out
}
