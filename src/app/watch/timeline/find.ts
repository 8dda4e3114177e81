import { t } from '../../../language/translate.ts'
import type { Scenario } from '../../../scenario/model/scenario.ts'
import { count } from '../../../views/drawing/format.ts'
import type { Focus } from '../../session/run/timelineStore.ts'

export interface SearchHit {
  readonly label: string
  readonly focus: Focus
}

const MOST = 8

/**
 * Returns what a few letters may mean in a run with so many workers and jobs: stages by name, then `w3` or `worker 3`,
 * then `job 12` or `#12`. A bare number is a worker or a job. People count from 1.
 */
export function find(text: string, { stages }: Scenario, workers: number, jobs: number): SearchHit[] {
  const words = text.trim().toLowerCase()
  if (words === '') return []
  const named = stages
    .map(({ id, name }, stage) => ({ stage, label: name, at: Math.min(place(name.toLowerCase(), words), place(id.toLowerCase(), words)) }))
    .filter(({ at }) => at < Infinity)
    .sort((a, b) => a.at - b.at || a.stage - b.stage)
    .map(({ stage, label }): SearchHit => ({ label, focus: { kind: 'stage', stage } }))
  const [, kind, digits] = /^(w|worker|j|job|#)?\s*#?\s*([\d,]+)$/.exec(words) ?? []
  const n = digits === undefined ? 0 : Number(digits.replaceAll(',', ''))
  const numbered: SearchHit[] = []
  const isWorker = kind === undefined || kind.startsWith('w')
  const isJob = kind === undefined || !kind.startsWith('w')
  if (isWorker && n >= 1 && n <= workers) numbered.push({ label: t('Worker {n}', { n: count(n) }), focus: { kind: 'worker', worker: n - 1 } })
  if (isJob && n >= 1 && n <= jobs) numbered.push({ label: t('Job {n}', { n: count(n) }), focus: { kind: 'job', job: n - 1 } })
  return [...named.slice(0, MOST - numbered.length), ...numbered]
}

/** Returns what can be found in a run: 'stages by name, workers 1 to 8, jobs 1 to 600'. */
export function findable(workers: number, jobs: number): string {
  const words = [
    t('stages by name'),
    ...(workers === 0 ? [] : [workers === 1 ? t('worker 1') : t('workers 1 to {n, number}', { n: workers })]),
    ...(jobs === 0 ? [] : [jobs === 1 ? t('job 1') : t('jobs 1 to {n, number}', { n: jobs })]),
  ]
  return words.join(', ')
}

function place(name: string, words: string): number {
  const at = name.indexOf(words)
  return at < 0 ? Infinity : at
}
