import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { keepFold } from '../../../src/app/base/browser/foldState.ts'
import { ResultsPanel } from '../../../src/app/explain/results/ResultsPanel.tsx'
import { installFeatures } from '../../../src/app/session/features/features.tsx'
import { createRun, runStore } from '../../../src/app/session/run/runStore.ts'
import { SessionProvider } from '../../../src/app/session/scenario/SessionProvider.tsx'
import { createSession } from '../../../src/app/session/session.ts'
import { theoryFeature } from '../../../src/features/theory/feature.ts'
import { playTrial } from '../../../src/runs/play/play.ts'
import { presetOf } from '../../../src/scenario/presets/presets.ts'

test('the times of a job have one unit in the results, and the times of theory have one', async () => {
  const session = createSession()
  installFeatures(session, [theoryFeature])
  keepFold('figures', true)
  // A wait is less than a millisecond here, a job takes more.
  const scenario = presetOf('four-at-one-queue')?.scenario ?? expect.fail('there is no queue')
  runStore(session).setState({ phase: 'ended', run: createRun(await playTrial(scenario, {})) })
  const host = document.createElement('div')
  document.body.append(host)
  createRoot(host).render(
    <SessionProvider session={session}>
      <ResultsPanel />
    </SessionProvider>,
  )
  const unitsIn = (table: string, rows: RegExp) =>
    [...host.querySelectorAll(`${table} tr`)].flatMap(({ textContent }) =>
      rows.test(textContent) ? [/(µs|ms|s)✓?(agrees)?$/.exec(textContent)?.[1]] : [],
    )
  await vi.waitFor(() => expect(unitsIn('.held', /^(Wait|Flow|Time in)/)).toEqual(['ms', 'ms']), 20_000)
  expect(unitsIn('.facts', /^(Flow|Time in|median|99%|Wait)/)).toEqual(['ms', 'ms', 'ms', 'ms'])
})
