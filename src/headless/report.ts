import { explainBound, type LowerBound } from '../measures/figures/lowerBound.ts'
import type { Summary } from '../runs/play/play.ts'
import { stageLabels } from '../scenario/model/linearStages.ts'
import type { Scenario } from '../scenario/model/scenario.ts'
import { counted } from '../scenario/model/words.ts'
import { count, duration, milliseconds, percent, rate, shareOf } from '../views/drawing/format.ts'

/** A run and its reported figures. */
export interface Played {
  /** The name of its branch; null if the scenario has no branches. */
  readonly branch: string | null
  readonly summary: Summary
  readonly bound: LowerBound
  /** The figures that features add. */
  readonly more: readonly (readonly [name: string, value: string])[]
}

/** Returns the figures of runs of a scenario as a table for people. */
export function report(scenario: Scenario, runs: readonly Played[]): string {
  const summaries = runs.map(({ summary }) => summary)
  const head = `${scenario.title === '' ? 'Scenario' : scenario.title}: ${counted(summaries[0].jobs, 'job')}, ${counted(scenario.stages.length, 'stage')}, ${counted(scenario.workers, 'worker')}, seed ${scenario.seed}`
  const labels = stageLabels(scenario)
  const stages = runs.map(({ branch, summary: { policy, stages: all } }) => {
    const rows = all.map((stage, s) => stageCells(labels[s], stage))
    return `${branch === null ? '' : `${branch}, `}${policy}\n${tableOf([stageColumns, ...rows])}`
  })
  const figures = summaryRows
    .map(([name, of]) => [name, ...summaries.map(of)])
    .filter(([, ...values]) => values.some((value) => value !== ''))
  const names = [...new Set(runs.flatMap(({ more }) => more.map(([name]) => name)))]
  const added = names.map((name) => [name, ...runs.map(({ more }) => more.find(([each]) => each === name)?.[1] ?? '')])
  const classes = Array.from({ length: runs[0].summary.classes?.length ?? 0 }, (_, k) => [
    `mean wait, class ${k + 1}`,
    ...summaries.map(({ classes }) => duration(classes?.[k]?.meanWait ?? 0)),
  ])
  const branched = runs.some(({ branch }) => branch !== null) ? [['', ...runs.map(({ branch }) => branch ?? '')]] : []
  return [
    head,
    tableOf([...branched, ...figures, ...classes, ...added]),
    explainBound(runs[0].bound, duration),
    ...stages,
  ].join('\n\n')
}

export const stageColumns = [
  'stage',
  'utilisation of workers',
  'mean queue',
  'max queue',
  'mean wait ms',
  'mean service ms',
] as const

/** Returns the figures of a stage as texts, a column each. */
export function stageCells(name: string, stage: Summary['stages'][number]): string[] {
  return [
    name,
    shareOf(stage.ownUtilisation, stage.workers),
    stage.meanQueue.toFixed(2),
    count(stage.maxQueue),
    milliseconds(stage.meanWait, 2),
    milliseconds(stage.meanService, 2),
  ]
}

/** Returns rows as lines of a table. Aligns the first column to the left and the others to the right. */
export function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = rows[0].map((_, c) => rows.reduce((most, row) => Math.max(most, row[c].length), 0))
  return rows
    .map((row) =>
      row
        .map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const summaryRows: readonly (readonly [name: string, of: (summary: Summary) => string])[] = [
  ['policy', (s) => s.policy],
  ['jobs', (s) => count(s.jobs)],
  ['completed', (s) => count(s.completed)],
  ['failed', (s) => count(s.failed)],
  ['gave up', (s) => (s.gaveUp === undefined ? '' : count(s.gaveUp))],
  ['tries', (s) => (s.tries === undefined ? '' : count(s.tries))],
  ['unfinished', (s) => count(s.jobs - s.completed - s.failed - (s.gaveUp ?? 0))],
  ['makespan', (s) => duration(s.makespan)],
  ['lower bound', (s) => duration(s.lowerBound, Math.floor)],
  ['throughput', (s) => rate(s.throughput)],
  ['mean wait', (s) => duration(s.meanWait)],
  ['mean flow time', (s) => duration(s.meanFlowTime)],
  ['median flow time', (s) => duration(s.p50FlowTime)],
  ['99% flow time', (s) => duration(s.p99FlowTime)],
  ['mean jobs in system', (s) => s.meanJobsInSystem.toFixed(2)],
  ['utilisation', (s) => percent(s.utilisation)],
  ['contended', (s) => duration(s.contendedTime)],
  ['switches', (s) => count(s.switches)],
  ['reordered', (s) => count(s.reordered)],
]
