import type { Feature } from '../../app/session/features/feature.ts'

/** The search for scenarios in which a policy fails. */
export const finderFeature: Feature = {
  key: 'finder',
  panels: [{ place: 'compare', order: 10, load: async () => (await import('./page/FinderPart.tsx')).FinderPart }],
}
