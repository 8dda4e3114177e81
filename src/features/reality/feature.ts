import type { Feature } from '../../app/session/features/feature.ts'
import { t } from '../../language/translate.ts'

/** A real run beside its simulation. */
export const realityFeature: Feature = {
  key: 'reality',
  tabs: [
    {
      place: 'record',
      key: 'reality',
      name: () => t('Real vs simulated'),
      load: async () => (await import('./page/RealityPanel.tsx')).RealityPanel,
    },
  ],
}
