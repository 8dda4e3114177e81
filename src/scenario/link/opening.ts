import { t } from '../../language/translate.ts'
import { type EngineName, engineNames } from '../model/engines.ts'
import { MAX_BRANCHES, MAX_MICROS } from '../model/limits.ts'
import { policyKinds } from '../model/policies.ts'
import type { Micros, PolicyKind, Problem } from '../model/scenario.ts'
import { countText, listed, quoted } from '../model/words.ts'
import { policyCalled } from '../parse/gone.ts'
import { wholeText } from '../parse/shape.ts'

/**
 * The parameters after the scenario in a link: how the page opens. Any order, each at most once.
 *
 *   &t=1500000               time of the playhead, in microseconds
 *   &decision=12             one-based number of the decision under the playhead, if there is no &t=
 *   &range=0-3000000         the time range that the timeline shows
 *   &panel=figures           the open panel beside the pipeline
 *   &record=compare          the open view below the scrubber
 *   &policies=dean,webster   the compared policies
 *   &branch=2                one-based number of the branch that is shown
 *   &run=simulation          the engine that starts at once
 *   &beat=2900000            a game of Beat the scheduler, with the makespan to beat; &beat=flow-1200000: with the mean flow time
 *
 * A new parameter is a new entry of `parameters`. An unreadable one is reported, and the others are used.
 */
export interface Opening {
  readonly at: Micros | null
  /** Zero-based. */
  readonly decision: number | null
  readonly range: readonly [from: Micros, to: Micros] | null
  readonly panel: SidePanelName | null
  readonly record: RecordViewName | null
  readonly policies: readonly PolicyKind[] | null
  /** Zero-based; null for the original. */
  readonly branch: number | null
  readonly run: EngineName | null
  readonly beat: ToBeat | null
}

export type ToBeat = { readonly goal: Goal; readonly score: Micros }
export type Goal = 'makespan' | 'flow'

export const sidePanels = ['decision', 'figures', 'scenario', 'text'] as const
export type SidePanelName = (typeof sidePanels)[number]
export const recordViews = ['timeline', 'compare', 'sweep', 'reality'] as const
export type RecordViewName = (typeof recordViews)[number]

export const plainOpening: Opening = {
  at: null,
  decision: null,
  range: null,
  panel: null,
  record: null,
  policies: null,
  branch: null,
  run: null,
  beat: null,
}

const MAX_DECISION = 1_000_000_000
/** More words cannot all be names of different policies. */
const MAX_LISTED = 100

const FLOW = 'flow-'

interface Parameter<T> {
  readonly name: string
  /** `tell` takes the names of what is gone, which the notice lists. */
  read(text: string, tell: (gone: readonly string[]) => void): T | null
  spell(value: T): string
  allowed(): string
}

type Parameters = { readonly [K in keyof Opening]: Parameter<NonNullable<Opening[K]>> }

const parameters: Parameters = {
  at: {
    name: 't',
    read: (text) => whole(text, 0, MAX_MICROS),
    spell: String,
    allowed: () => wholeText(0, MAX_MICROS, t(' of microseconds')),
  },
  decision: numbered('decision', MAX_DECISION),
  range: {
    name: 'range',
    read(text) {
      const [from, to, ...more] = text.split('-').map((part) => whole(part, 0, MAX_MICROS))
      return from == null || to == null || more.length > 0 || from >= to ? null : [from, to]
    },
    spell: ([from, to]) => `${from}-${to}`,
    allowed: () => t('two numbers of microseconds, such as 0-1000'),
  },
  panel: oneOf('panel', sidePanels),
  record: oneOf('record', recordViews),
  policies: {
    name: 'policies',
    read(text, tell) {
      const words = text.split(',', MAX_LISTED + 1)
      const called = words.flatMap((word) => policyCalled(word) ?? [])
      if (called.length < words.length || new Set(words).size < words.length) return null
      tell(called.flatMap(({ gone }) => gone))
      return [...new Set(called.map(({ kind }) => kind))]
    },
    spell: (policies) => policies.join(','),
    allowed: () => t('policies with commas, of {policies}', { policies: listed(policyKinds) }),
  },
  branch: numbered('branch', MAX_BRANCHES),
  run: oneOf('run', engineNames),
  beat: {
    name: 'beat',
    read(text) {
      const goal = text.startsWith(FLOW) ? 'flow' : 'makespan'
      const score = whole(goal === 'flow' ? text.slice(FLOW.length) : text, 0, MAX_MICROS)
      return score === null ? null : { goal, score }
    },
    spell: ({ goal, score }) => `${goal === 'flow' ? FLOW : ''}${score}`,
    allowed: () =>
      t('microseconds from 0 to {most}, or flow- and microseconds', {
        most: countText(MAX_MICROS),
      }),
  },
}

const keys = Object.keys(parameters) as (keyof Opening)[]

/** Returns the parameters of a link, with their `&`. */
export function spellOpening(opening: Partial<Opening>): string {
  return keys.map((key) => spelled(key, opening[key] ?? null)).join('')
}

function spelled<K extends keyof Opening>(key: K, value: Opening[K]): string {
  return value === null
    ? ''
    : `&${parameters[key].name}=${(parameters[key].spell as (value: Opening[K]) => string)(value)}`
}

/** Reads the parameters of a link whose scenario has this number of branches. `tell` takes the names of what is gone. */
export function readOpening(
  rest: string,
  branches: number,
  tell: (gone: readonly string[]) => void = () => {},
): { readonly opening: Opening; readonly problems: readonly Problem[] } {
  const opening: { -readonly [K in keyof Opening]: Opening[K] } = { ...plainOpening }
  const problems: Problem[] = []
  const refuse = (message: string) => problems.push({ path: 'link', message })
  // Links of earlier versions may also carry the digest of their run.
  const parts = rest.split('&', keys.length + 2).filter((part) => !/^digest=[0-9a-f]{16}$/.test(part))
  if (parts.length > keys.length) refuse(t('too many parameters; allowed: {names}, each once', { names: names() }))
  for (const part of parts.slice(0, keys.length)) {
    const equals = part.indexOf('=')
    const key = keys.find((each) => parameters[each].name === part.slice(0, Math.max(0, equals)))
    if (key === undefined || opening[key] !== null) {
      refuse(t('{part} is unknown; allowed: {names}, each once', { part: quoted(part), names: names() }))
      continue
    }
    const { name, read, allowed } = parameters[key]
    const value = read(part.slice(equals + 1), tell)
    if (value !== null) Object.assign(opening, { [key]: value })
    else {
      const found = quoted(part.slice(equals + 1))
      refuse(t('&{name}= is {value}; allowed: {allowed}', { name, value: found, allowed: allowed() }))
    }
  }
  if (opening.branch !== null && opening.branch >= branches) {
    refuse(
      t(
        '&branch= is {branch}, and the scenario has {branches, plural, =0 {no branches} one {# branch} other {# branches}}',
        {
          branch: opening.branch + 1,
          branches,
        },
      ),
    )
    opening.branch = null
  }
  return { opening, problems }
}

function names(): string {
  return listed(keys.map((key) => `&${parameters[key].name}=`))
}

function whole(text: string, least: number, most: number): number | null {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : null
}

/** Numbers in links are one-based. */
function numbered(name: string, most: number): Parameter<number> {
  return {
    name,
    read(text) {
      const value = whole(text, 1, most)
      return value === null ? null : value - 1
    },
    spell: (value) => String(value + 1),
    allowed: () => wholeText(1, most),
  }
}

function oneOf<T extends string>(name: string, words: readonly T[]): Parameter<T> {
  return {
    name,
    read: (text) => words.find((word) => word === text) ?? null,
    spell: String,
    allowed: () => listed(words, 'or'),
  }
}
