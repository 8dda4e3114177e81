import { useRef } from 'react'
import { useStore } from 'zustand'
import { t } from '../../../language/translate.ts'
import type { Problem, Scenario } from '../../../scenario/model/scenario.ts'
import { useScrolls } from '../../base/ui/Table.tsx'
import { scenarioStore } from '../../session/scenario/scenarioStore.ts'
import { useSession } from '../../session/useSession.ts'
import { nameIn } from '../editing/actions.ts'
import { problemWords } from '../editing/draftProblems.ts'
import { problemPlace } from './problemPlace.ts'

const SHOWN = 6
/** How many problems of the draft are listed. They are shown on the canvas too. */
const SHOWN_DRAWN = 3

/** A list of problems with their places, named as in the forms; problems of the draft as on the canvas. */
export function ProblemList({ problems, drawn = false }: { readonly problems: readonly Problem[]; readonly drawn?: boolean }) {
  const session = useSession()
  const draft = useStore(scenarioStore(session), (state) => state.draft)
  const host = useRef<HTMLUListElement>(null)
  const scrolls = useScrolls(host)
  const most = drawn ? SHOWN_DRAWN : SHOWN
  return (
    <ul ref={host} {...(scrolls && { tabIndex: 0 })}>
      {problems.slice(0, most).map((problem) => {
        const { path } = problem
        const place = drawn ? placeOfFault(problem, draft) : problemPlace(problem, draft)
        const message = drawn ? problemWords(problem, draft) : problem.message
        return (
          <li key={`${path} ${message}`}>
            {place !== '' && <strong>{place}</strong>} {path !== '' && path !== place && !drawn && <code>{path}</code>} {message}
          </li>
        )
      })}
      {problems.length > most && <li>{t('and {length} more', { length: problems.length - most })}</li>}
    </ul>
  )
}

function placeOfFault(problem: Problem, draft: Scenario): string {
  const link = draft.links[Number(/^links\[(\d+)\]/.exec(problem.path)?.[1])]
  if (link === undefined) return problem.path === 'links' ? '' : problemPlace(problem, draft)
  return t('Link from {link} to {link2}', { link: nameIn(draft, link[0]), link2: nameIn(draft, link[1]) })
}
