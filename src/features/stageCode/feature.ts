import type { Feature } from '../../app/session/features/feature.ts'
import { runStore } from '../../app/session/run/runStore.ts'
import { t } from '../../language/translate.ts'
import { hasCode } from '../../scenario/model/scenario.ts'

/** Stages whose work a person writes. */
export const stageCodeFeature: Feature = {
  key: 'stageCode',
  arrive(session) {
    runStore(session).setState({ openStageThreads: async () => (await import('./threads/stageFrame.ts')).openStageFrame() })
    return null
  },
  gallery: { title: () => t('Your own code'), load: async (session) => (await import('./page/templates.ts')).codePresets(session) },
  panels: [
    { place: 'stageForm', order: 10, when: ({ scenario }) => hasCode(scenario), load: async () => (await import('./page/StageCodeForm.tsx')).StageCodeForm },
    { place: 'notice', order: 10, when: ({ scenario }) => hasCode(scenario), load: async () => (await import('./page/CodeNotice.tsx')).CodeNotice },
  ],
}
