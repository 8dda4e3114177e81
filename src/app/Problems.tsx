import { useStore } from 'zustand'
import { placeOf } from './problemPlace.ts'
import { dismissProblems, scenarioStore } from './scenarioStore.ts'

const SHOWN = 6

/** Why something was refused: what, where, what is allowed. What was on the screen stays. */
export function Problems() {
  const problems = useStore(scenarioStore, (state) => state.problems)
  const scenario = useStore(scenarioStore, (state) => state.scenario)
  return (
    <div className="problems" role="alert" hidden={problems.length === 0}>
      {problems.length > 0 && (
        <>
          <ul>
            {problems.slice(0, SHOWN).map((problem) => {
              const { path, message } = problem
              const place = placeOf(problem, scenario)
              return (
                <li key={`${path} ${message}`}>
                  {place !== '' && <strong>{place}</strong>} {path !== '' && path !== place && <code>{path}</code>} {message}
                </li>
              )
            })}
            {problems.length > SHOWN && <li>and {problems.length - SHOWN} more</li>}
          </ul>
          <p>Nothing on the screen was changed.</p>
          <button type="button" className="icon" aria-label="Dismiss" onClick={dismissProblems}>
            ×
          </button>
        </>
      )}
    </div>
  )
}
