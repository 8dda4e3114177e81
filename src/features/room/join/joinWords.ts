import { t } from '../../../language/translate.ts'
import { listed } from '../../../scenario/model/words.ts'
import type { Joining } from './joining.ts'
import type { Awake } from './ownDevice.ts'

/** The large text of the page: the worker, its stage, and its jobs so far. An absent line is null. */
export interface JoinWords {
  readonly who: string
  readonly where: string | null
  readonly done: string | null
}

export function joinWords({ phase, problem, loan: { workers, stage, done: jobs } }: Joining): JoinWords {
  const done = jobs === 0 && workers.length === 0 ? null : t('{n, plural, one {# job} other {# jobs}} done.', { n: jobs })
  if (phase === 'damaged') return { who: t('This link does not lead to a room.'), where: problem, done: null }
  if (phase === 'waiting') return { who: t('Looking for the room.'), where: problem, done }
  if (phase === 'left') return { who: t('You have left the room.'), where: t('Thank you for your work.'), done }
  if (workers.length === 0) return { who: t('You are in the room.'), where: t('You get work in the next run, or when a worker is lost.'), done }
  return { who: whoWords(workers), where: stage === null ? t('You are waiting for work.') : t('You are at {stage}.', { stage: stage.name }), done }
}

/** People count workers from 1. */
function whoWords(workers: readonly number[]): string {
  const numbers = workers.map((worker) => String(worker + 1))
  return numbers.length === 1 ? t('You are worker {worker}.', { worker: numbers[0] }) : t('You are workers {workers}.', { workers: listed(numbers) })
}

/** Returns the small notes of the page: the connection, and whether the screen stays awake. */
export function joinNotes({ phase, loan: { up } }: Joining, awake: Awake | null): readonly string[] {
  if (phase !== 'in') return []
  return [
    ...(up ? [] : [t('The connection is lost. Trying again.')]),
    ...(awake === 'kept' ? [t('The screen stays awake.')] : []),
    ...(awake === 'missing' || awake === 'refused'
      ? [t('This browser does not let the page keep the screen awake. When the screen is dark, your work goes to others.')]
      : []),
  ]
}
