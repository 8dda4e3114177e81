import { readFragment, toShortFragment } from '../../../src/scenario/link/codec.ts'
import links from '../../fixtures/links/v1.json' with { type: 'json' }
import { playSeeds } from '../../seeds/many.ts'
import { laterDigests, playedDigests } from '../../trace/digestList.ts'

// Built and served beside the app, so that any engine can be asked for it.

export { laterDigests, playedDigests, playSeeds }

/** What every old link is read as, and the short link that is made of that. */
export function readLinks(): unknown[] {
  return links.map(({ link }) => {
    const fragment = readFragment(link)
    return fragment.found === 'scenario' ? [fragment, toShortFragment(fragment.scenario)] : fragment
  })
}
