import type { Feature } from '../../app/session/features/feature.ts'

/** The predictions of queueing theory, beside the measurements. */
export const theoryFeature: Feature = {
  key: 'theory',
  results: async () => (await import('./page/TheoryPanel.tsx')).theoryResult,
}
