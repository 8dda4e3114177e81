import type { Feature } from '../../app/session/features/feature.ts'

/** What queueing theory predicts, beside what was measured. */
export const theoryFeature: Feature = { key: 'theory', results: async () => (await import('./page/TheoryPanel.tsx')).theoryResult }
