import { isPinned } from '../scenario/defaults.ts'
import { type Scenario, type TurnKey, turnKeys } from '../scenario/scenario.ts'
import type { Decision, StageBallot } from './decision.ts'

/** A piece of a sentence; where it names a stage or a worker it says which, so that a page may colour it. */
export interface Part {
  readonly text: string
  readonly stage?: number
  readonly worker?: number
}

/** So much of a decision as its sentence needs. */
export interface Told extends Pick<Decision, 'policy' | 'facts' | 'orders'> {
  readonly stages: readonly Pick<StageBallot, 'waiting' | 'done' | 'busy' | 'seatsBefore' | 'seatsAfter'>[]
}

/**
 * A decision in plain words: what happened, and why the seats are as they are. For people, to whom workers are numbered from 1:
 * "Worker 8 finished a batch of 4. Validate was the stage furthest below its share, so the seat goes there. Worker 8 leaves Write for Validate."
 */
export function sentenceOf(scenario: Scenario, decision: Told): Part[] {
  return merged(partsOf(scenario, createSpeech(scenario), decision))
}

/** The same as one text, for whoever writes millions of them with one speech. */
export function spoken(scenario: Scenario, speech: Speech, decision: Told): string {
  return textOf(partsOf(scenario, speech, decision)).trimEnd()
}

function partsOf(scenario: Scenario, speech: Speech, decision: Told): Part[] {
  const parts = sentence(enumerated(causesOf(scenario, decision, speech)))
  parts.push(...sentence(reasonOf(decision, speech)), ...sentence(movesOf(decision, speech)))
  return parts
}

/** A sentence as one text. */
export function textOf(parts: readonly Part[]): string {
  let text = ''
  for (const part of parts) text += part.text
  return text
}

export interface Speech {
  stage(s: number): Part
  worker(w: number): Part
}

export function createSpeech(scenario: Scenario): Speech {
  return {
    stage: (s) => ({ text: scenario.stages[s].name, stage: s }),
    worker: (w) => ({ text: `${w + 1}`, worker: w }),
  }
}

export const say = (text: string): Part => ({ text })

/** What happened, a clause each. */
function causesOf({ later }: Scenario, { facts }: Told, speech: Speech): Part[][] {
  const clauses: Part[][] = []
  const finished = facts.filter(({ kind }) => kind === 'finished')
  if (finished.length > 0) {
    const single = finished.every(({ jobs }) => jobs === 1)
    const what = single ? `finished a job${finished.length > 1 ? ' each' : ''}` : finished.length > 1 ? 'finished' : `finished a batch of ${finished[0].jobs}`
    clauses.push([...crowd(finished, speech), say(` ${what}`)])
  }
  for (const { worker, stage } of facts.filter(({ kind }) => kind === 'threw').slice(0, 1)) {
    clauses.push([say('a job of worker '), speech.worker(worker), say(' threw at '), speech.stage(stage)])
  }
  for (const [kind, one, more] of [['lost', ' was lost', ' were lost'] as const, ['joined', ' joined', ' joined'] as const]) {
    const who = facts.filter((fact) => fact.kind === kind)
    if (who.length > 0) clauses.push([...crowd(who, speech), say(who.length > 1 ? more : one)])
  }
  const turned = later.length === 0 ? [] : facts.filter(({ kind }) => kind === 'turned').flatMap(({ job, jobs }) => later.slice(job, job + jobs))
  if (turned.length > 0) for (const key of turnKeys) if (turned.some((turn) => turn[key] !== undefined)) clauses.push([say(turns[key])])
  const arrived = facts.reduce((sum, { kind, jobs }) => (kind === 'arrived' ? sum + jobs : sum), 0)
  if (arrived > 0) clauses.push([say(arrived === 1 ? 'a job arrived' : `${grouped(arrived)} jobs arrived`)])
  return clauses.length > 0 ? clauses : [[say('the source ran dry')]]
}

/** What turns of the scenario may do. */
const turns: Readonly<Record<TurnKey, string>> = {
  policy: 'another rule took over',
  estimator: 'another estimator took over',
  batch: 'batches changed',
  switchCost: 'the cost of changing stage changed',
  groupSwitchCost: 'the cost of changing group changed',
  cores: 'the number of cores changed',
}

/** `worker 8`, `workers 1, 2 and 3`, `5 workers`. */
function crowd(facts: readonly { readonly worker: number }[], speech: Speech): Part[] {
  if (facts.length > 3) return [say(`${facts.length} workers`)]
  return [say(facts.length > 1 ? 'workers ' : 'worker '), ...enumerated(facts.map(({ worker }) => [speech.worker(worker)]))]
}

/** Why the seats are as they are. */
function reasonOf(decision: Told, speech: Speech): Part[] {
  const { policy, stages, orders } = decision
  if (policy === 'single')
    return orders.length === 0 ? [say('one worker does it all and is still busy')] : [say('one worker does it all: '), ...going(decision, speech)]
  if (policy === 'fixed' || policy === 'onePerStage' || policy === 'greenThreads') {
    const why =
      policy === 'fixed'
        ? 'the seats of every stage are fixed'
        : policy === 'onePerStage'
          ? 'every stage has its one worker'
          : 'every stage has its own threads'
    return orders.length === 0 ? [say(`${why}, so what waits must wait for its own workers`)] : [say(`${why}: `), ...going(decision, speech)]
  }
  if (policy === 'pid' || policy === 'threshold') {
    const why = 'every stage has its own pool, which only its controller changes'
    return orders.length === 0 ? [say(`${why}, so what waits must wait for it`)] : [say(`${why}: `), ...going(decision, speech)]
  }
  const change = stages.map(({ seatsBefore, seatsAfter }) => seatsAfter - seatsBefore)
  const gainers = numbersWhere(change, (seats) => seats > 0)
  const losers = numbersWhere(change, (seats) => seats < 0)
  if (policy === 'backpressure' || policy === 'sinkFirst') {
    const why = policy === 'sinkFirst' ? 'the stages nearest the sink come first' : 'the seats go where a queue presses most upon the next one'
    return gainers.length + losers.length === 0
      ? [say(`${why}, and every stage has its seats already`)]
      : [say(`${why}: `), ...exchangeOf(gainers, losers, change, speech)]
  }
  if (gainers.length + losers.length === 0) {
    const moved = orders.some(({ from, stage }) => from >= 0 && from !== stage)
    return [say(moved ? 'the shares stay as they are' : 'every stage has its share already, so no seat changes hands')]
  }
  if (losers.length > 0 && gainers.length > 0 && losers.every((s) => stages[s].done)) {
    const theirs = losers.length > 1 ? 'their' : 'its'
    const seats = losers.reduce((sum, s) => sum - change[s], 0)
    return [
      ...names(losers, speech),
      say(` ${losers.length > 1 ? 'are' : 'is'} done, so ${theirs} ${seats > 1 ? 'seats go' : 'seat goes'} to `),
      ...names(gainers, speech),
    ]
  }
  if (gainers.length === 1 && stages.every(({ waiting }, s) => s === gainers[0] || waiting === 0)) {
    const { seatsAfter } = stages[gainers[0]]
    return [say('all the work that waits is at '), speech.stage(gainers[0]), say(`, so ${every(seatsAfter)} there`)]
  }
  if (losers.length > 0 && gainers.length === 1 && change[gainers[0]] === 1) {
    const why = policy === 'longestQueue' ? 'had the longest queue for its workers' : 'was the stage furthest below its share'
    return [speech.stage(gainers[0]), say(` ${why}, so the seat goes there`)]
  }
  return exchangeOf(gainers, losers, change, speech)
}

/** Who takes how many seats from whom. */
function exchangeOf(gainers: readonly number[], losers: readonly number[], change: readonly number[], speech: Speech): Part[] {
  const takes = (s: number) => [speech.stage(s), say(` takes ${seatsSaid(change[s])}`)]
  const losses = (word: string) => losers.map((s) => [speech.stage(s), say(`${word}${seatsSaid(-change[s])}`)])
  // Where seats were added, or are left empty, nobody's loss is another's gain.
  const even = change.reduce((sum, seats) => sum + seats, 0) === 0
  if (!even) return enumerated([...gainers.map(takes), ...losses(' gives up ')])
  if (gainers.length === 1 && losers.length === 1) return [...takes(gainers[0]), say(' from '), speech.stage(losers[0])]
  if (losers.length === 1 && gainers.length > 1) {
    const gains = gainers.map((s) => [say(`${change[s]} to `), speech.stage(s)])
    return [...losses(' gives ').flat(), say(': '), ...enumerated(gains)]
  }
  if (gainers.length === 1 && losers.length > 1) {
    const parts = losers.map((s) => [say(`${-change[s]} from `), speech.stage(s)])
    return [...takes(gainers[0]), say(': '), ...enumerated(parts)]
  }
  return enumerated([...gainers.map(takes), ...losses(' gives up ')])
}

/** Where the workers go, for policies that do not weigh. */
function going({ orders }: Told, speech: Speech): Part[] {
  if (orders.length > 3) return [say(`${orders.length} workers begin`)]
  return enumerated(
    orders.map(({ worker, from, stage, ahead }) => {
      if (ahead) return [say('worker '), speech.worker(worker), say(' gets its next batch ahead at '), speech.stage(stage)]
      const leaves = from >= 0 && from !== stage ? [say(' leaves '), speech.stage(from), say(' for ')] : [say(from === stage ? ' goes on at ' : ' goes to ')]
      return [say('worker '), speech.worker(worker), ...leaves, speech.stage(stage)]
    }),
  )
}

/** Who goes from one stage to another, and who works where it has no seat, so as not to idle. */
function movesOf({ orders, stages, policy }: Told, speech: Speech): Part[] {
  if (isPinned(policy)) return []
  const manned = stages.map(({ busy }) => busy)
  const clauses: Part[][] = []
  let [moves, helps] = [0, 0]
  // Where nobody's share has changed a seat was left empty by an earlier decision.
  const free = stages.every(({ seatsBefore, seatsAfter }) => seatsBefore === seatsAfter)
  for (const { worker, from, stage, ahead } of orders) {
    if (ahead) continue
    const moved = from >= 0 && from !== stage
    const seated = ++manned[stage] <= stages[stage].seatsAfter
    if (moved) moves++
    if (!seated) helps++
    const who = [say('worker '), speech.worker(worker)]
    if (moved)
      clauses.push([
        ...who,
        say(' leaves '),
        speech.stage(from),
        say(seated ? (free ? ' for the free seat at ' : ' for ') : ' to lend a hand at '),
        speech.stage(stage),
      ])
    else if (!seated) clauses.push([...who, say(' lends a hand at '), speech.stage(stage)])
    else if (from >= 0 && orders.length === 1) clauses.push([...who, say(' goes on at '), speech.stage(stage)])
  }
  if (clauses.length <= 3) return enumerated(clauses)
  const crowds: Part[][] = []
  if (moves > 0) crowds.push([say(moves === 1 ? '1 worker changes stage' : `${moves} workers change stage`)])
  if (helps > 0)
    crowds.push([say(helps === 1 ? '1 lends a hand where it has no seat' : `${helps} ${moves > 0 ? '' : 'workers '}lend a hand where they have no seat`)])
  return enumerated(crowds)
}

function names(stages: readonly number[], speech: Speech): Part[] {
  return stages.length > 3 ? [say(`${stages.length} stages`)] : enumerated(stages.map((s) => [speech.stage(s)]))
}

function numbersWhere(values: readonly number[], holds: (value: number) => boolean): number[] {
  const numbers: number[] = []
  for (let i = 0; i < values.length; i++) if (holds(values[i])) numbers.push(i)
  return numbers
}

function seatsSaid(seats: number): string {
  return seats === 1 ? 'a seat' : `${seats} seats`
}

function every(seats: number): string {
  return seats === 1 ? 'the seat goes' : seats === 2 ? 'both seats go' : `all ${seats} seats go`
}

/** `a`, `a and b`, `a, b and c`; of many the first four. */
export function enumerated(clauses: readonly (readonly Part[])[]): Part[] {
  const shown = clauses.length > 5 ? [...clauses.slice(0, 4), [say(`${clauses.length - 4} more`)]] : clauses
  const parts: Part[] = []
  shown.forEach((clause, i) => {
    if (i > 0) parts.push(say(i === shown.length - 1 ? ' and ' : ', '))
    parts.push(...clause)
  })
  return parts
}

/** A capital first and a full stop last; nothing of nothing. Names of stages keep their own letters. */
export function sentence(parts: readonly Part[]): Part[] {
  if (parts.length === 0) return []
  const [first] = parts
  const whole = [...parts, say('. ')]
  if (first.stage === undefined) whole[0] = { ...first, text: first.text.slice(0, 1).toUpperCase() + first.text.slice(1) }
  return whole
}

/** Neighbours that name nothing become one; no space at the end. */
export function merged(parts: readonly Part[]): Part[] {
  const out: Part[] = []
  for (const part of parts) {
    const last = out[out.length - 1]
    const plain = part.stage === undefined && part.worker === undefined
    if (last !== undefined && plain && last.stage === undefined && last.worker === undefined) out[out.length - 1] = say(last.text + part.text)
    else out.push(part)
  }
  const last = out[out.length - 1]
  if (last !== undefined) out[out.length - 1] = { ...last, text: last.text.trimEnd() }
  return out
}

/** 1000000 as 1,000,000. */
export function grouped(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',')
}
