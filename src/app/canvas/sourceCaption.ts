import { countJobs } from '../../scenario/limits.ts'
import type { Source } from '../../scenario/scenario.ts'
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
      return `${count(source.at.length)} rates`
    case 'curve':
      return `Curve, ${count(source.points.length)} points`
    case 'times':
      return `${count(source.at.length)} set times`
    case 'groups':
      return `${count(source.groups.length)} groups`
    case 'lines':
      return 'Lines of a file'
    case 'image':
      return `${count(countJobs(source))} tiles`
  }
}
