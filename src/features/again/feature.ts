import type { Feature } from '../../app/session/features/feature.ts'

export const againFeature: Feature = {
  key: 'again',
  attendLater: async (session) => (await import('./playAgain.ts')).playAgain(session),
}
