import { readFragment, toShortFragment } from '../../src/scenario/link/codec.ts'
import { hostileLinks } from '../fuzz/hostileLinks.ts'
import { lineOf } from './scenarios.ts'
import type { BenchRow } from './tools.ts'

/** How long a link blocks the page: an ordinary one, and those made to block it. */
export default async function links({ quick }: { readonly quick: boolean }): Promise<BenchRow[]> {
  const ordinary = toShortFragment(
    lineOf({
      jobs: 4000,
      seed: 3,
      workers: 2,
      services: [{ kind: 'exponential', mean: 2000 }],
      rate: 180,
      work: 'wait',
    }),
  )
  return [
    { name: 'an ordinary link', figures: { characters: ordinary.length, 'ms (50)': read(ordinary, quick) } },
    ...hostileLinks(ordinary).map((link) => ({
      name: link.slice(0, 40),
      figures: { characters: link.length, 'ms (50)': read(link, quick) },
    })),
  ]
}

/** The best of ten. */
function read(link: string, quick: boolean): number {
  let best = Infinity
  for (let round = 0; round < (quick ? 1 : 10); round++) {
    const began = performance.now()
    readFragment(link)
    best = Math.min(best, performance.now() - began)
  }
  return best
}
