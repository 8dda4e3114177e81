import type { Journal } from '../../pipeline/journal.ts'
import type { Studies } from '../../runs/remote/studies.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'
import type { CodeView } from '../../scheduler/codePolicy.ts'
import { loadCode, problemOfCode } from './sandbox/loadCode.ts'

const askCode = () => import('./sandbox/askCode.ts')

const jobs = () => ({
  codeProblem: (source: string) => problemOfCode(source),
  codeAnswer: async ({ scenario, decision }: { scenario: Scenario; decision: CodeView | null }) =>
    (await askCode()).askAboutDecision(scenario, decision),
  codeExplanation: async ({
    scenario,
    journal,
    decision,
  }: {
    scenario: Scenario
    journal: Journal
    decision: number
  }) => (await askCode()).explainDecision(scenario, journal, decision),
})

type CodeJobs = ReturnType<typeof jobs>
declare module '../../runs/remote/jobs.ts' {
  interface Jobs extends CodeJobs {}
}

export const codeStudies: Studies = { key: 'code', jobs, loadCode }
