import { t } from '../../../language/translate.ts'
import type { Commands } from '../../session/commands.ts'
import { askedWorkerStore, askWorker } from '../../session/page/showing.ts'

export const answerCommands: Commands = (session) => [
  { name: 'askWorker', help: { group: 'pointer', keys: t('Press a worker'), what: t('ask it why it is there') } },
  {
    name: 'closeAnswer',
    key: { key: 'Escape' },
    leaves: 'editors',
    help: { group: 'playback', keys: 'Escape', what: t('close the answer of a worker') },
    enabled: askedWorkerStore(session).getState().worker !== null,
    act: () => askWorker(session, null),
  },
]
