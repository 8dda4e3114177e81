import type { Feature } from '../../app/session/features/feature.ts'
import { t } from '../../language/translate.ts'
import { incidentPresets } from './content/incidents.ts'
import { IncidentPanel } from './page/IncidentPanel.tsx'

export const knownFeature: Feature = {
  key: 'known',
  panels: [
    {
      place: 'answers',
      order: 5,
      when: ({ run }) => run?.scenario.stages.some(({ startUp }) => startUp !== null) === true,
      load: async () => IncidentPanel,
    },
  ],
  gallery: {
    title: () => t('Known systems'),
    load: async () => incidentPresets,
  },
}
