import type { Studies } from '../../runs/remote/studies.ts'
import type { Scenario } from '../../scenario/model/scenario.ts'

const jobs = () => ({
  best: async (scenario: Scenario) => (await import('./study/bestPossible.ts')).bestPossible(scenario),
})

type CompareJobs = ReturnType<typeof jobs>
declare module '../../runs/remote/jobs.ts' {
  interface Jobs extends CompareJobs {}
}

export const compareStudies: Studies = { key: 'compare', jobs }
