import type { Feature } from '../../app/session/features/feature.ts'
import { runStore } from '../../app/session/run/runStore.ts'

export const stageCodeFeature: Feature = {
  key: 'stageCode',
  arrive(session) {
    runStore(session).setState({ openStageThreads: async () => (await import('./threads/stageFrame.ts')).openStageFrame() })
    return null
  },
}
