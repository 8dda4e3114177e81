import type { Feature } from '../../app/session/features/feature.ts'

export const finderFeature: Feature = {
  key: 'finder',
  panels: [{ place: 'compare', order: 10, load: async () => (await import('./page/FinderPart.tsx')).FinderPart }],
}
