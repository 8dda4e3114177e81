import { useStore } from 'zustand'
import { dismissProblems, scenarioStore } from './scenarioStore.ts'

/** Why something was refused: what, where, what is allowed. What was on the screen stays. */
export function Problems() {
  const problems = useStore(scenarioStore, (state) => state.problems)
  return (
    <div className="problems" role="alert" hidden={problems.length === 0}>
      {problems.length > 0 && (
        <>
          <ul>
            {problems.slice(0, 6).map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                {path !== '' && <code>{path}</code>} {message}
              </li>
            ))}
            {problems.length > 6 && <li>and {problems.length - 6} more</li>}
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
