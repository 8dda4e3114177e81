import { isolated } from '../../../language/isolated.ts'
import { t } from '../../../language/translate.ts'
import { teamShares } from '../../../measures/series/lanes.ts'
import { stageNumbers } from '../../../scenario/model/linearStages.ts'
import { clock, count, percent } from '../../../views/drawing/format.ts'
import type { LanePlace } from '../../../views/timeline/teams.ts'
import type { Run } from '../../session/run/runStore.ts'

/** Returns the lines of a tooltip about a team: who is in it, and what share of it worked at each stage at that instant. */
export function teamHint({ scenario, chart: { lanes } }: Pick<Run, 'scenario' | 'chart'>, { worker, team, time }: LanePlace): string[] {
  const columns = scenario.stages.map(() => new Float64Array(3))
  teamShares(lanes, [worker, worker + team], time, time + 1, 1, columns)
  const busy = columns.reduce((sum, [share]) => sum + share, 0)
  const there = stageNumbers(scenario).filter((s) => columns[s][0] > 0)
  return [
    t('Workers {from} to {to}', { from: count(worker + 1), to: count(worker + team) }),
    t('{share} busy at {time}', { share: percent(busy / team), time: clock(time) }),
    ...there.map((s) => `${isolated(scenario.stages[s].name)}: ${percent(columns[s][0] / team)}`),
    t('Press to see them one by one.'),
  ]
}
