import { readFragment, toShortFragment } from '../../../src/scenario/link/codec.ts'
import links from '../../fixtures/links/v1.json' with { type: 'json' }
import { playSeeds } from '../../seeds/many.ts'
import { laterDigests, playedDigests } from '../../trace/digestList.ts'

// Built and served beside the app, so that any engine can call it.

export { laterDigests, playedDigests, playSeeds }

/** The scenario of every old link, and the short link made of it. */
export function readLinks(): unknown[] {
  return links.map(({ link }) => {
    const fragment = readFragment(link)
    return fragment.found === 'scenario' ? [fragment, toShortFragment(fragment.scenario)] : fragment
  })
}
