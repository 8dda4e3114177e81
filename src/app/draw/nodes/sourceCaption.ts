import { t } from '../../../language/translate.ts'
import { countJobs } from '../../../scenario/model/limits.ts'
import type { Source } from '../../../scenario/model/scenario.ts'
import { count, rate } from '../../../views/drawing/format.ts'

/** Returns how jobs arrive, in a few words, for the source. */
export function sourceCaption(source: Source): string {
  switch (source.kind) {
    case 'batch':
      return t('{jobs} at once', { jobs: count(source.jobs) })
    case 'poisson':
      return t('Poisson {rate}', { rate: rate(source.rate) })
    case 'regular':
      return t('Regular {rate}', { rate: rate(source.rate) })
    case 'sine':
      return t('Sine, up to {max}', { max: count(source.max) })
    case 'bursts':
      return t('Bursts {burstRate}', { burstRate: rate(source.burstRate) })
    case 'steps':
      return t('{n, plural, one {# rate} other {# rates}}', { n: source.at.length })
    case 'curve':
      return t('Curve, {n, plural, one {# point} other {# points}}', { n: source.points.length })
    case 'times':
      return t('{n, plural, one {# set time} other {# set times}}', { n: source.at.length })
    case 'groups':
      return t('{n, plural, one {# group} other {# groups}}', { n: source.groups.length })
    case 'lines':
      return t('Lines of a file')
    case 'image':
      return t('{source, plural, one {# tile} other {# tiles}}', { source: countJobs(source) })
  }
}
