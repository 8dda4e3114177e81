import type { Feature } from '../../app/session/features/feature.ts'
import { runStore } from '../../app/session/run/runStore.ts'
import { scenarioStore } from '../../app/session/scenario/scenarioStore.ts'
import { t } from '../../language/translate.ts'
import { hasCode } from '../../scenario/model/scenario.ts'

const page = () => import('./page/StageCodeForm.tsx')

const dropData = () => import('./page/dropData.ts')

/** Stages whose work a person writes. */
export const stageCodeFeature: Feature = {
  key: 'stageCode',
  arrive(session) {
    runStore(session).setState({
      openStageThreads: async () => (await import('./page/disturbances.ts')).openThreads(session),
    })
    return null
  },
  gallery: {
    title: () => t('Your own code'),
    load: async (session) => (await import('./page/templates.ts')).codePresets(session),
  },
  files: {
    takesAll: () => false,
    recognises: async (file, session) =>
      hasCode(scenarioStore(session).getState().scenario) && (await dropData()).isData(session, file),
    open: async (session, file) => (await dropData()).openData(session, file),
  },
  panels: [
    {
      place: 'stageForm',
      order: 10,
      when: ({ scenario }) => hasCode(scenario),
      load: async () => (await page()).StageCodeForm,
    },
    {
      place: 'notice',
      order: 10,
      when: ({ scenario }) => hasCode(scenario),
      load: async () => (await page()).CodeNotice,
    },
  ],
}
