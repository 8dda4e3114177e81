import type { Feature } from '../../app/session/features/feature.ts'

/** A scenario that hides something, which is to be guessed. */
export const mysteryFeature: Feature = {
  key: 'mystery',
  panels: [
    {
      place: 'insteadOfDecision',
      order: 10,
      when: ({ secret }) => secret,
      load: async () => (await import('./MysteryPanel.tsx')).MysteryPanel,
    },
  ],
}
