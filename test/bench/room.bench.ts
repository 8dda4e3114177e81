import { type BrokerHere, openNats, openOwn } from './room/brokers.ts'
import { createFamily, type Family } from './room/child.ts'
import { costFree } from './room/costFree.ts'

export { serveConductor } from './room/conducted.ts'
export { serveLenders } from './room/lenders.ts'

export interface BenchRow {
  readonly name: string
  readonly figures: Readonly<Record<string, number | string | null>>
}

/** A room of workers over a broker: every process is started here, and ended. */
export default async function room({ root, quick }: { readonly root: string; readonly quick: boolean }): Promise<BenchRow[]> {
  const family = createFamily(import.meta.url)
  const rows: BenchRow[] = []
  try {
    const own = await openOwn(family, root)
    rows.push(...(await costFree(family, own, quick)))
    return rows
  } finally {
    family.end()
  }
}
