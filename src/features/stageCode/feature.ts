import type { Feature } from '../../app/session/features/feature.ts'
import { t } from '../../language/translate.ts'
import { codeOf, type Scenario } from '../../scenario/model/scenario.ts'

const hasCode = ({ stages }: Scenario) => stages.some((stage) => codeOf(stage) !== null)

/** Stages whose work a person writes. */
export const stageCodeFeature: Feature = {
  key: 'stageCode',
  gallery: { title: () => t('Your own code'), load: async (session) => (await import('./page/templates.ts')).codePresets(session) },
  panels: [
    {
      place: 'stageForm',
      order: 10,
      when: ({ scenario }) => hasCode(scenario),
      load: async () => (await import('./page/StageCodeForm.tsx')).StageCodeForm,
    },
    { place: 'notice', order: 10, when: ({ scenario }) => hasCode(scenario), load: async () => (await import('./page/CodeNotice.tsx')).CodeNotice },
  ],
}
