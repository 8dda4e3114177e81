import { memo, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { MOST_POLICIES, mayRecord, underPolicy } from '../runs/compare.ts'
import { countJobs } from '../scenario/limits.ts'
import type { PolicyKind, Scenario } from '../scenario/scenario.ts'
import { counted } from '../scenario/words.ts'
import { policies, policyGroups } from '../scheduler/policies.ts'
import { endOf } from '../trace/trace.ts'
import { CompareCards } from './CompareCards.tsx'
import { CompareTable } from './CompareTable.tsx'
import './compare.css'
import { BASELINE, chooseOf, chosenFor, comparingStore, missing, startComparing, stillValid, stopComparing } from './comparing.ts'
import { PartingNote } from './PartingNote.tsx'
import { runStore } from './runStore.ts'
import { scenarioStore } from './scenarioStore.ts'
import { themeStore } from './theme.ts'
import { useReach } from './useReach.ts'

/** Up to so many services in all the policies are played as soon as the panel is open: they are there in a moment. */
const AT_ONCE = 240_000
/** An edit that is followed by another so soon is not played for. */
const SETTLE_MS = 400

/** The scenario and its luck under several policies, side by side under the page's own playhead. */
export function ComparePanel() {
  const scenario = useStore(scenarioStore, (state) => state.scenario)
  // How far it has come is shown by who needs it: a million jobs tell so often.
  const chosen = useStore(comparingStore, (state) => state.chosen)
  const played = useStore(comparingStore, (state) => state.comparison?.runs)
  const phase = useStore(comparingStore, (state) => state.comparison?.phase)
  const reason = useStore(comparingStore, (state) => state.comparison?.reason ?? null)
  useStore(themeStore, (state) => state.palette)
  const kinds = useMemo(() => chosenFor(scenario, chosen), [scenario, chosen])
  const valid = useMemo(() => stillValid(scenario, played ?? new Map()), [scenario, played])
  const record = mayRecord(scenario, kinds.length)
  const todo = missing(scenario, kinds, valid, record).length
  const services = kinds.length * countJobs(scenario.source) * scenario.stages.length
  const playing = phase === 'playing'
  // What is shown of another scenario stays until the new runs are there.
  const stale = kinds.some((kind) => played?.has(kind) && !valid.has(kind))
  const runs = played ?? valid
  const key = kinds.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins when what is asked for changes, not when an answer comes or somebody calls it off
  useEffect(() => {
    if (todo === 0 || services > AT_ONCE || kinds.length === 0) return
    const { phase: running, engine } = runStore.getState()
    if (running === 'running' && engine === 'threads') return
    const timer = setTimeout(() => startComparing(scenario, kinds), phase === undefined ? 0 : SETTLE_MS)
    return () => clearTimeout(timer)
  }, [scenario, key])
  useReach(kinds.flatMap((kind) => runs.get(kind)?.run ?? []).map(({ trace }) => endOf(trace)))
  const known = kinds.some((kind) => runs.has(kind))
  return (
    <article className="compare" aria-label="Compare">
      <header>
        <Choice scenario={scenario} kinds={kinds} />
        {playing ? (
          <Progress />
        ) : (
          todo > 0 && (
            <button type="button" className="button" onClick={() => startComparing(scenario, kinds)} disabled={kinds.length === 0}>
              {known ? 'Compare again' : `Compare ${counted(kinds.length, 'policy', 'policies')}`}
            </button>
          )
        )}
        {stale && <span className="warning">The scenario has changed since these were played.</span>}
        {reason !== null && <span className="warning">{reason}</span>}
      </header>
      {known && (
        <>
          <CompareTable scenario={scenario} kinds={kinds} runs={runs} />
          <PartingNote kinds={kinds} runs={runs} done={!playing} />
          {kinds.some((kind) => runs.get(kind)?.run) ? (
            <CompareCards kinds={kinds} runs={runs} />
          ) : (
            !record && (
              <p className="soft">
                Of so many jobs under so many policies only the figures are kept: compare fewer policies at a time to see them side by side.
              </p>
            )
          )}
        </>
      )}
      {!known && !playing && (
        <p className="soft">
          The same jobs, at the same times, with the same luck, under each policy. {policies[BASELINE].name} is what a pipeline has to beat.
        </p>
      )}
    </article>
  )
}

function Progress() {
  const share = useStore(comparingStore, (state) => state.comparison?.share ?? 0)
  return (
    <div className="compare-progress">
      <progress value={share} max={1} aria-label="Playing the policies" />
      <button type="button" className="link" onClick={stopComparing}>
        Cancel
      </button>
    </div>
  )
}

/** Which policies; what the scenario cannot be played under says why. */
const Choice = memo(function Choice({ scenario, kinds }: { readonly scenario: Scenario; readonly kinds: readonly PolicyKind[] }) {
  const full = kinds.length >= MOST_POLICIES
  return (
    <details className="compare-choice">
      <summary>
        {kinds.length} of at most {MOST_POLICIES} policies
        {!kinds.includes(BASELINE) && `, and what to beat: ${policies[BASELINE].name}`}
        <span className="soft"> · same jobs, same luck</span>
      </summary>
      <div>
        {policyGroups.map(({ title, kinds: all }) => (
          <fieldset key={title}>
            <legend>{title}</legend>
            {all.map((kind) => {
              const parsed = underPolicy(scenario, kind)
              const refused = 'problems' in parsed ? parsed.problems[0].message : undefined
              const taken = kinds.includes(kind)
              return (
                <label key={kind} title={refused}>
                  <input
                    type="checkbox"
                    checked={taken}
                    disabled={refused !== undefined || (full && !taken)}
                    onChange={(event) => chooseOf(scenario, kind, event.target.checked)}
                  />
                  {policies[kind].name}
                </label>
              )
            })}
          </fieldset>
        ))}
      </div>
    </details>
  )
})
