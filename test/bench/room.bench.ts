import { type BrokerHere, openNats, openOwn } from './room/brokers.ts'
import { createFamily, type Family } from './room/child.ts'
import { costFree } from './room/costFree.ts'
import type { TrialRow } from './room/trialRow.ts'

export { createFamily } from './room/child.ts'
export { openOwn } from './room/brokers.ts'
export { lineOf } from './scenarios.ts'
export { serveConductor } from './room/conducted.ts'
export { serveLenders } from './room/lenders.ts'

/** A room of workers over a broker: every process is started here, and ended. */
export default async function room({ root, quick }: { readonly root: string; readonly quick: boolean }): Promise<TrialRow[]> {
  const family = createFamily(import.meta.url)
  const rows: TrialRow[] = []
  try {
    const own = await openOwn(family, root)
    rows.push(...(await costFree(family, own, quick)))
    return rows
  } finally {
    family.end()
  }
}
