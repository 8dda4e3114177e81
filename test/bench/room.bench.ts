import { type BrokerHere, openNats, openOwn } from './room/brokers.ts'
import { createProcessGroup } from './room/child.ts'
import { serveConductor } from './room/conducted.ts'
import { costFree, roundTrip } from './room/costFree.ts'
import { serveLenders } from './room/lenders.ts'
import type { Trial, TrialRow } from './room/trialRow.ts'
import { brokerGone, deaths, frozen, lenders, manyDevices } from './room/trials.ts'

/** The functions of the processes of the trials, which import this file. */
export const processes = { conductor: serveConductor, lenders: serveLenders }

/** Trials for a broker with the rights of a room, and for any broker. */
const everywhere: readonly Trial[] = [roundTrip, costFree, manyDevices, deaths]
const ours: readonly Trial[] = [...everywhere, brokerGone, frozen, lenders]

/** A room of workers over a broker: its own, and a nats-server. Every process is started and ended here. */
export default async function room({
  root,
  quick,
}: {
  readonly root: string
  readonly quick: boolean
}): Promise<TrialRow[]> {
  const family = createProcessGroup(import.meta.url)
  const rows: TrialRow[] = []
  async function play(trials: readonly Trial[], broker: BrokerHere): Promise<void> {
    for (const trial of trials) {
      const found = await trial({ family, broker, root, quick })
      // It takes minutes, so each trial is printed at once.
      for (const { name, figures } of found) console.log(`  ${name}: ${JSON.stringify(figures)}`)
      rows.push(...found)
    }
    broker.end()
  }
  try {
    await play(ours, await openOwn(family, root))
    const nats = await openNats(family)
    if (nats === null) rows.push({ name: 'nats-server: not installed', figures: {} })
    else await play(everywhere, nats)
    return rows
  } finally {
    family.end()
  }
}
