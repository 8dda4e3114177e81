import { afterEach, expect, test, vi } from 'vitest'
import { keepSaved, storedDraft } from '../../../../src/app/session/scenario/savedCanvas.ts'
import { editOrShowProblems } from '../../../../src/app/session/scenario/scenarioStore.ts'
import { createSession } from '../../../../src/app/session/session.ts'
import { setOptions } from '../../../../src/scenario/edit/edits.ts'

const session = createSession()

afterEach(() => {
  vi.useRealTimers()
})

test('the canvas is saved within a second, also during quick edits', () => {
  vi.useFakeTimers()
  const end = keepSaved(session)
  for (let k = 1; k <= 30; k++) {
    editOrShowProblems(session, (now) => setOptions(now, { title: `Edit ${k}` }))
    vi.advanceTimersByTime(100)
    const stored = storedDraft()
    const kept = stored !== null && 'scenario' in stored ? Number(stored.scenario.title.slice('Edit '.length)) : 0
    expect(kept).toBeGreaterThan(k - 10)
  }
  end()
})
