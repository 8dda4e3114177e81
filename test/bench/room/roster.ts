import type { BrokerHere } from './brokers.ts'
import type { Child, ProcessGroup } from './child.ts'
import type { LendersMessage } from './lenders.ts'

/** Starts these processes with this many devices each, and resolves when all of them are in the room. */
export async function gather(
  family: ProcessGroup,
  broker: BrokerHere,
  processes: number,
  devices: number,
): Promise<Child[]> {
  const all = Array.from({ length: processes }, () => family.start('lenders'))
  // A few at a time: on a busy machine some would be refused, because a first connection is given up after ten seconds.
  for (let k = 0; k < processes; k += 5)
    await Promise.all(all.slice(k, k + 5).map((child) => comeIn(child, broker, devices)))
  return all
}

/** The devices of a process join the room. */
export function comeIn(child: Child, broker: BrokerHere, devices: number): Promise<unknown> {
  return child.ask({ ask: 'lend', address: broker.joinAddress, devices } satisfies LendersMessage)
}
