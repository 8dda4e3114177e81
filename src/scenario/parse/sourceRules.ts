import { t } from '../../language/translate.ts'
import * as limit from '../model/limits.ts'
import type { Picture, Problem } from '../model/scenario.ts'
import { countText, foundText, problemAt } from '../model/words.ts'
import type { SchemaDraft } from './schema.ts'
import { ascend } from './schemaParts.ts'

/** Checks what arrives: that times are in order, that every job comes, and that jobs, cycles and pictures stay within their bounds. */
export function sourceIsSound({ source }: SchemaDraft): Problem[] {
  if (source.kind === 'times') return ascend('source.at', source.at, '')
  if (source.kind === 'steps') return ratesAreSound('source.at', source.at)
  if (source.kind === 'curve') return ratesAreSound('source.points', source.points)
  if (source.kind === 'bursts' && source.rate * source.off + source.burstRate * source.on <= 0)
    return problemAt('source.burstRate', t('no job would ever arrive; allowed: a rate above 0, or a burstRate above 0'))
  if (source.kind === 'image') return pictureIsBounded(source)
  const problems: Problem[] = []
  const cycles = limit.countCycles(source)
  if (!(cycles <= limit.MAX_CYCLES)) {
    const path = source.kind === 'sine' ? 'source.every' : 'source.on'
    problems.push({
      path,
      message: t('the source would go through {cycles} cycles; allowed: {MAX_CYCLES}, so make them longer', {
        cycles: countText(cycles),
        MAX_CYCLES: countText(limit.MAX_CYCLES),
      }),
    })
  }
  const jobs = limit.countJobs(source)
  if (!(jobs <= limit.MAX_JOBS)) problems.push({ path: source.kind === 'groups' ? 'source.groups' : 'source', message: tooManyJobs(jobs) })
  return problems
}

/** Bounds the work of a tile and of the picture in the worst case, when no point escapes. */
function pictureIsBounded({ width, height, tile, iterations }: Picture): Problem[] {
  const pixels = Math.min(width, tile) * Math.min(height, tile)
  const most = Math.floor(Math.min(limit.MAX_TILE_STEPS / pixels, limit.MAX_PICTURE_STEPS / (width * height)))
  if (iterations <= most) return []
  const whose = iterations * pixels > limit.MAX_TILE_STEPS ? t('a tile') : t('the picture')
  return problemAt(
    'source.iterations',
    t('{iterations}, so take fewer, or less of a size', {
      iterations: foundText(iterations, t('at most {most} for {whose} of this size', { most: countText(most), whose })),
    }),
  )
}

const tooManyJobs = (jobs: number) =>
  t('the source makes up to {jobs} jobs; allowed: {MAX_JOBS}', { jobs: countText(jobs), MAX_JOBS: countText(limit.MAX_JOBS) })

function ratesAreSound(path: string, points: readonly (readonly [number, number])[]): Problem[] {
  const times = points.map(([time]) => time)
  const last = points.length - 1
  const problems = ascend(path, times, '[0]')
  // The last rate stays, so with too small a one the remaining jobs would never arrive.
  if (points[last][1] < limit.MIN_RATE)
    problems.push({
      path: `${path}[${last}][1]`,
      message: foundText(points[last][1], t('at least {MIN_RATE}: the last rate stays until every job has come', { MIN_RATE: limit.MIN_RATE })),
    })
  return problems
}
