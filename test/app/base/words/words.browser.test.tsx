import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { beforeAll, expect, test } from 'vitest'
import { type WordKey, words } from '../../../../src/app/base/words/words.ts'
import { DecisionVotes } from '../../../../src/app/explain/decision/DecisionVotes.tsx'
import { ResultsPanel } from '../../../../src/app/explain/results/ResultsPanel.tsx'
import { installFeatures } from '../../../../src/app/session/features/features.tsx'
import { createRun, type Run, runStore } from '../../../../src/app/session/run/runStore.ts'
import { SessionProvider } from '../../../../src/app/session/scenario/SessionProvider.tsx'
import { createSession } from '../../../../src/app/session/session.ts'
import { CompareTable } from '../../../../src/features/compare/page/CompareTable.tsx'
import { entrantsUnder } from '../../../../src/features/compare/page/comparing.ts'
import { theoryFeature } from '../../../../src/features/theory/feature.ts'
import { decisionAt } from '../../../../src/measures/decisions/decision.ts'
import { playTrial } from '../../../../src/runs/play/trial.ts'
import { playCompared } from '../../../../src/runs/study/compare.ts'
import { presetOf } from '../../../../src/scenario/presets/presets.ts'

const session = createSession()
const scenario = presetOf('four-at-one-queue')?.scenario ?? expect.fail('there is no queue')
let run: Run

beforeAll(async () => {
  installFeatures(session, [theoryFeature])
  run = createRun(await playTrial(scenario, {}))
  runStore(session).setState({ phase: 'ended', run })
})

async function comparison() {
  const entrants = entrantsUnder(scenario, ['leastScore', 'single'])
  const played = await Promise.all(entrants.map(async (entrant) => ({ ...entrant, compared: await playCompared(entrant.scenario, false), run: null })))
  const runs = new Map(played.map((each) => [each.key, each]))
  return <CompareTable head="Policy" entrants={entrants} all={entrants} own="leastScore" runs={runs} best={null} check={null} />
}

const panels: Readonly<Record<string, () => ReactNode | Promise<ReactNode>>> = {
  results: () => <ResultsPanel />,
  decision: () => <DecisionVotes scenario={scenario} decision={decisionAt(run.trace, run.estimateHistory, 0)} noRowYet={false} />,
  comparison,
}

test.each(Object.keys(panels))('every technical word of the %s has its tooltip there, with a link to what it means', async (name) => {
  const host = document.createElement('div')
  document.body.append(host)
  const root = createRoot(host)
  root.render(<SessionProvider session={session}>{await panels[name]()}</SessionProvider>)
  await expect.poll(() => host.querySelectorAll('table').length).toBeGreaterThan(0)
  const heads = Array.from(host.querySelectorAll('th, h3'), (head) => head.textContent)
  const labelled = (word: WordKey) =>
    words[word].labels().some((label) => heads.some((head) => head === label || head.startsWith(`${label} `) || head.startsWith(`${label},`)))
  const there = (Object.keys(words) as WordKey[]).filter(labelled)
  expect(there.length).toBeGreaterThan(1)
  const links = new Map(Array.from(host.querySelectorAll<HTMLAnchorElement>('a.term'), (link) => [link.dataset.word, link]))
  expect(there.filter((word) => !links.has(word))).toEqual([])
  for (const [word, { title, href }] of links) expect([title, href]).toEqual([words[word as WordKey].about(), expect.stringContaining('words.html#')])
  root.unmount()
  host.remove()
})
