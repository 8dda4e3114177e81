import { useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import { distributions } from '../../../scenario/model/distributions.ts'
import { type Kind, paramsIn } from '../../../scenario/model/params.ts'
import { policies } from '../../../scenario/model/policies.ts'
import type { Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { sources } from '../../../scenario/model/sources.ts'
import { keyLabels } from '../../../scenario/text/meanings.ts'
import { useScrolls } from '../../base/ui/Table.tsx'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { nameIn } from '../editing/actions.ts'
import { problemWords } from '../editing/draftProblems.ts'

const MAX_LISTED = 6
/** How many problems of the draft are listed. They are shown on the canvas too. */
const MAX_LISTED_OF_DRAFT = 3

export function ProblemList({
  problems,
  drawn = false,
}: {
  readonly problems: readonly Problem[]
  readonly drawn?: boolean
}) {
  const session = useSession()
  const draft = useStore(scenarioStore(session), (state) => state.draft)
  const host = useRef<HTMLUListElement>(null)
  const scrolls = useScrolls(host)
  const listLength = drawn ? MAX_LISTED_OF_DRAFT : MAX_LISTED
  return (
    <ul ref={host} {...(scrolls && { tabIndex: 0 })}>
      {problems.slice(0, listLength).map((problem) => {
        const { path } = problem
        const place = drawn ? placeOfFault(problem, draft) : problemPlace(problem, draft)
        const message = drawn ? problemWords(problem, draft) : problem.message
        return (
          <li key={`${path} ${message}`}>
            {place !== '' && <strong>{place}</strong>} {path !== '' && path !== place && !drawn && <code>{path}</code>}{' '}
            {message}
          </li>
        )
      })}
      {problems.length > listLength && <li>{t('and {more} more', { more: problems.length - listLength })}</li>}
    </ul>
  )
}

function placeOfFault(problem: Problem, draft: Scenario): string {
  const link = draft.links[Number(/^links\[(\d+)\]/.exec(problem.path)?.[1])]
  if (link === undefined) return problem.path === 'links' ? '' : problemPlace(problem, draft)
  return t('Link from {link} to {link2}', { link: nameIn(draft, link[0]), link2: nameIn(draft, link[1]) })
}

/** The labels of the forms by the keys inside of stages, of the source, and of the others. */
function formLabels() {
  const labels = Object.entries(keyLabels()).map(([key, label]) => [key.split('.'), label] as const)
  const below = (holder: (name: string) => boolean): Labels =>
    Object.fromEntries(labels.flatMap(([[first, key], label]) => (key && holder(first) ? [[key, label]] : [])))
  return {
    ofStage: below((holder) => holder === 'stages'),
    inStage: {
      ...labelsOf(Object.values(distributions)),
      ...below((holder) => holder === 'changes' || holder === 'fails'),
    },
    // Earlier kinds win, since they have the plainest names.
    inSource: { ...labelsOf(Object.values(sources).reverse()), at: t('Times') },
    inOthers: {
      ...labelsOf(Object.values(policies)),
      ...below((holder) => !['source', 'stages', 'changes', 'fails', 'retry'].includes(holder)),
    },
  }
}

type Labels = Readonly<Record<string, string>>

/** Returns the place of a problem as the forms name it: `Stage "Enrich", Service time, Mean`; empty if no form shows it. */
export function problemPlace({ path, stage }: Problem, { stages }: Pick<Scenario, 'stages'>): string {
  const { ofStage, inStage, inSource, inOthers } = formLabels()
  const whole: Labels = keyLabels()
  const keys = path.match(/[^.[\]"]+/g) ?? []
  const [first, second] = keys
  if (first === undefined || !Object.hasOwn(whole, first)) return ''
  if (first !== 'stages' || second === undefined)
    return listed([whole[first], ...keys.slice(1).map(named(first === 'source' ? inSource : inOthers))])
  const shownName = stages[Number(second)]?.name
  const name = stage ?? (shownName === undefined ? `${Number(second) + 1}` : `"${shownName}"`)
  const [third, ...rest] = keys.slice(2)
  const words = third === undefined ? [] : [ofStage[third] ?? third, ...rest.map(named(inStage))]
  return listed([t('Stage {name}', { name }), ...words])
}

/** Returns how to name a part of a path. An index counts from 1, as on the screen. */
function named(labels: Labels): (key: string) => string {
  return (key) => (/^\d+$/.test(key) ? `${Number(key) + 1}` : Object.hasOwn(labels, key) ? labels[key] : key)
}

/** Joins the names of a path with commas. A number belongs to the name before it: `Change 2`. */
function listed(words: readonly string[]): string {
  return words.reduce((text, word) => `${text}${/^\d+$/.test(word) ? ' ' : ', '}${word}`)
}

/** Returns the labels of all parameters by key. If kinds name a key differently, the last one wins. */
function labelsOf(kinds: readonly Kind[]): Record<string, string> {
  return Object.fromEntries(
    kinds.flatMap(paramsIn).flatMap(([key, { label }]) => (label === undefined ? [] : [[key, label()]])),
  )
}
