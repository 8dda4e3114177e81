import { countJobs } from '../../scenario/limits.ts'
import type { Source } from '../../scenario/scenario.ts'
import { counted } from '../../scenario/words.ts'
import { count, rate } from '../../views/format.ts'

/** How jobs arrive, in a few words: what stands under the source. */
export function sourceCaption(source: Source): string {
  switch (source.kind) {
    case 'batch':
      return `${count(source.jobs)} at once`
    case 'poisson':
      return `Poisson ${rate(source.rate)}`
    case 'regular':
      return `Regular ${rate(source.rate)}`
    case 'sine':
      return `Sine, up to ${count(source.max)}`
    case 'bursts':
      return `Bursts ${rate(source.burstRate)}`
    case 'steps':
      return counted(source.at.length, 'rate')
    case 'curve':
      return `Curve, ${counted(source.points.length, 'point')}`
    case 'times':
      return counted(source.at.length, 'set time')
    case 'groups':
      return counted(source.groups.length, 'group')
    case 'lines':
      return 'Lines of a file'
    case 'image':
      return counted(countJobs(source), 'tile')
  }
}
