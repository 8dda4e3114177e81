import { useStore } from 'zustand'
import type { Problem } from '../scenario/scenario.ts'
import { placeOfFault, wordsOf } from './canvas/faults.ts'
import { placeOf } from './problemPlace.ts'
import { dismissProblems, scenarioStore } from './scenarioStore.ts'

const SHOWN = 6

/** Why something was refused: what, where, what is allowed. What was on the screen stays. And what on the canvas is to be put right before it can be played. */
export function Problems() {
  const problems = useStore(scenarioStore, (state) => state.problems)
  const faults = useStore(scenarioStore, (state) => state.faults)
  return (
    <div className="problems" role="alert" hidden={problems.length + faults.length === 0} data-refused={problems.length > 0}>
      {problems.length > 0 && (
        <>
          <List problems={problems} />
          <p>Nothing on the screen was changed.</p>
          <button type="button" className="icon" aria-label="Dismiss" onClick={dismissProblems}>
            ×
          </button>
        </>
      )}
      {faults.length > 0 && (
        <>
          <List problems={faults} drawn />
          <p>Until this is put right the pipeline cannot be played.</p>
        </>
      )}
    </div>
  )
}

function List({ problems, drawn = false }: { readonly problems: readonly Problem[]; readonly drawn?: boolean }) {
  const drawing = useStore(scenarioStore, (state) => state.drawing)
  return (
    <ul>
      {problems.slice(0, SHOWN).map((problem) => {
        const { path } = problem
        const place = drawn ? placeOfFault(problem, drawing) : placeOf(problem, drawing)
        const message = drawn ? wordsOf(problem, drawing) : problem.message
        return (
          <li key={`${path} ${message}`}>
            {place !== '' && <strong>{place}</strong>} {path !== '' && path !== place && !drawn && <code>{path}</code>} {message}
          </li>
        )
      })}
      {problems.length > SHOWN && <li>and {problems.length - SHOWN} more</li>}
    </ul>
  )
}
