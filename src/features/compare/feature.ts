import type { Feature } from '../../app/session/features/feature.ts'
import { t } from '../../language/translate.ts'

const verdict = () => import('./page/RunVerdict.tsx')

export const compareFeature: Feature = {
  key: 'compare',
  tabs: [
    {
      place: 'record',
      key: 'compare',
      name: () => t('Compare'),
      load: async () => (await import('./page/ComparePanel.tsx')).ComparePanel,
    },
    {
      place: 'record',
      key: 'sweep',
      name: () => t('What if'),
      load: async () => (await import('./page/SweepPanel.tsx')).SweepPanel,
    },
  ],
  panels: [
    {
      place: 'aboveDecision',
      order: 10,
      when: ({ asks }) => asks('guess'),
      load: async () => (await verdict()).GuessFirst,
    },
    { place: 'verdict', order: 10, load: async () => (await verdict()).RunVerdict },
    { place: 'answers', order: 10, load: async () => (await import('./page/Answers.tsx')).RunAnswers },
  ],
  opens: { policies: async (session, kinds) => (await import('./page/comparing.ts')).comparePolicies(session, kinds) },
}
