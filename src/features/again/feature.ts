import type { Feature } from '../../app/session/features/feature.ts'
import { playAgain } from './playAgain.ts'

export const againFeature: Feature = {
  key: 'again',
  attendLater: async (session) => playAgain(session),
}
