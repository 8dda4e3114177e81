import type { ThreadsListener } from '../../../engine/conductor/conductedRun.ts'
import { type ConductorOptions, createConductor } from '../../../engine/conductor/conductor.ts'
import type { Environment } from '../../../engine/conductor/environment.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { RoomAddress } from '../../../runs/remote/remoteEngine.ts'
import type { Micros, Scenario } from '../../../scenario/model/scenario.ts'
import type { Carrier, OpenCarrier } from './carrier.ts'
import { createRoomThreads } from './roomThreads.ts'

/** How long a start waits for the broker to list the devices of the room. Later devices join in mid-run. */
const GATHERING_MILLISECONDS = 300
/** A carrier notices by its keepalive that it is cut off: see `openCarrier`. Until then all devices seem silent. */
const UNNOTICED: Micros = 3_000_000

/** Returns the engine whose workers are threads that devices lend over a broker. It does nothing before `start`. */
export function createRoomEngine(
  address: RoomAddress,
  openCarrier: OpenCarrier,
  environment: Environment,
  options: ConductorOptions = {},
): Engine {
  let stopped = false
  let stop = () => {}
  return {
    async start(scenario: Scenario, listener: ThreadsListener) {
      const carrier = await openCarrier(address, `host${Math.random().toString(36).slice(2)}`)
      try {
        await play(carrier, scenario, listener)
      } finally {
        carrier.end()
      }
    },
    stop() {
      stopped = true
      stop()
    },
  }

  async function play(carrier: Carrier, scenario: Scenario, listener: ThreadsListener): Promise<void> {
    const stages = scenario.stages.map(({ name }, colour) => ({ name, colour }))
    const { end, ...threads } = createRoomThreads(carrier, address.room, stages, environment)
    try {
      await new Promise<void>((resolve) => {
        stop = resolve
        if (stopped) resolve()
        else environment.after(GATHERING_MILLISECONDS, resolve)
      })
      // A device lends no more threads than it has cores.
      const conductor = createConductor({ ...environment, ...threads, cores: Infinity, unnoticed: UNNOTICED }, options)
      stop = conductor.stop
      if (stopped) stop()
      await conductor.start(scenario, listener)
    } finally {
      end()
    }
  }
}
