import { openNats, openOwn } from './room/brokers.ts'
import { createFamily } from './room/child.ts'
import { costFree } from './room/costFree.ts'
import type { TrialRow } from './room/trialRow.ts'
import { brokerGone, deaths, frozen, lenders, manyDevices } from './room/trials.ts'

export { serveConductor } from './room/conducted.ts'
export { serveLenders } from './room/lenders.ts'

/** A room of workers over a broker, its own and a nats-server. Every process is started here, and ended. */
export default async function room({ root, quick }: { readonly root: string; readonly quick: boolean }): Promise<TrialRow[]> {
  const family = createFamily(import.meta.url)
  const rows: TrialRow[] = []
  const trials = process.env.TRIALS?.split(',')
  const play = async (name: string, f: () => Promise<TrialRow[]>) => {
    if (trials === undefined || trials.includes(name)) { const r = await f(); console.log(JSON.stringify(r)); rows.push(...r) }
  }
  try {
    const own = await openOwn(family, root)
    await play('free', () => costFree(family, own, quick))
    await play('many', () => manyDevices(family, own, quick))
    await play('deaths', () => deaths(family, own, quick))
    await play('gone', () => brokerGone(family, own, quick))
    await play('frozen', () => frozen(family, own, quick))
    await play('lenders', () => lenders(family, own, root, quick))
    own.end()
    const nats = await openNats(family)
    if (nats === null) rows.push({ name: 'nats-server: not installed', figures: {} })
    else {
      await play('free', () => costFree(family, nats, quick))
      await play('many', () => manyDevices(family, nats, quick))
      await play('deaths', () => deaths(family, nats, quick))
      nats.end()
    }
    return rows
  } finally {
    family.end()
  }
}
