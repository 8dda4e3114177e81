import { say } from '../../../language/say.ts'
import { countJobs } from '../../../scenario/model/limits.ts'
import type { Source } from '../../../scenario/model/scenario.ts'
import { count, rate } from '../../../views/drawing/format.ts'

/** How jobs arrive, in a few words: what stands under the source. */
export function sourceCaption(source: Source): string {
  switch (source.kind) {
    case 'batch':
      return say('{jobs} at once', { jobs: count(source.jobs) })
    case 'poisson':
      return say('Poisson {rate}', { rate: rate(source.rate) })
    case 'regular':
      return say('Regular {rate}', { rate: rate(source.rate) })
    case 'sine':
      return say('Sine, up to {max}', { max: count(source.max) })
    case 'bursts':
      return say('Bursts {burstRate}', { burstRate: rate(source.burstRate) })
    case 'steps':
      return say('{n, plural, one {# rate} other {# rates}}', { n: source.at.length })
    case 'curve':
      return say('Curve, {n, plural, one {# point} other {# points}}', { n: source.points.length })
    case 'times':
      return say('{n, plural, one {# set time} other {# set times}}', { n: source.at.length })
    case 'groups':
      return say('{n, plural, one {# group} other {# groups}}', { n: source.groups.length })
    case 'lines':
      return say('Lines of a file')
    case 'image':
      return say('{source, plural, one {# tile} other {# tiles}}', { source: countJobs(source) })
  }
}
