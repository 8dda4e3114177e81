import type { Feature } from '../../app/session/features/feature.ts'

export const stageCodeFeature: Feature = {
  key: 'stageCode',
  stageThreads: async () => (await import('./threads/stageFrame.ts')).openStageFrame(),
}
