import { expose } from 'comlink'
import { createConductor } from './engine/conductor/conductor.ts'
import { liveness } from './engine/threads/liveness.ts'
import { trustOwnScripts } from './engine/threads/ownScripts.ts'
import { pageEnvironment } from './engine/threads/pageEnvironment.ts'
import { loadCode } from './features/code/sandbox/loadCode.ts'
import type { OpenCarrier } from './features/room/protocol/carrier.ts'
import { createRoomEngine } from './features/room/protocol/roomEngine.ts'
import { speak } from './language/translate.ts'
import { createRemoteEngine } from './runs/remote/remoteEngine.ts'

/** The client of brokers comes only to those who open a room. */
const openCarrier: OpenCarrier = async (...how) => (await import('./features/room/brokerClient/openCarrier.ts')).openCarrier(...how)

trustOwnScripts()
// The thread that owns scheduler and queues and starts the pool, or lends it from a room. Ending it ends the pool.
const remote = createRemoteEngine(({ file = null, room }) => {
  const options = { file, loadCode }
  return room === undefined ? createConductor(pageEnvironment(), options) : createRoomEngine(room, openCarrier, pageEnvironment(), options)
})
expose({ ...remote, speak, ...liveness })
