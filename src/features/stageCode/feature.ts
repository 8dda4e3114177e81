import type { Feature } from '../../app/session/features/feature.ts'
import { runStore } from '../../app/session/run/runStore.ts'
import { scenarioStore } from '../../app/session/scenario/scenarioStore.ts'
import { t } from '../../language/translate.ts'
import { hasCode } from '../../scenario/model/scenario.ts'
import { isData, openData } from './page/dropData.ts'

const page = () => import('./page/StageCodeForm.tsx')

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
    recognises: async (file, session) => hasCode(scenarioStore(session).getState().scenario) && isData(file),
    open: openData,
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
