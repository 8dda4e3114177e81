import type { Feature } from '../../app/session/features/feature.ts'
import { phasesOf } from '../../scenario/model/schedule.ts'
import { CodeExplanationNote } from './page/CodeExplanationNote.tsx'

export const codeFeature: Feature = {
  key: 'code',
  panels: [
    {
      place: 'policyForm',
      order: 10,
      when: ({ scenario }) => scenario.policy.kind === 'code',
      load: async () => (await import('./page/CodeField.tsx')).CodeForm,
    },
    {
      place: 'decisionNote',
      order: 10,
      when: ({ run }) => run !== null && phasesOf(run.scenario).some(({ policy }) => policy.kind === 'code'),
      load: async () => CodeExplanationNote,
    },
  ],
}
