import { expose } from 'comlink'
import { createConductor } from './engine/conductor/conductor.ts'
import { liveness } from './engine/threads/liveness.ts'
import { trustOwnScripts } from './engine/threads/ownScripts.ts'
import { pageEnvironment } from './engine/threads/pageEnvironment.ts'
import { speak } from './language/translate.ts'
import { createRemoteEngine } from './runs/remote/remoteEngine.ts'
import { loadCode } from './sandbox/loadCode.ts'

trustOwnScripts()
// The thread that owns scheduler and queues and starts the pool. Ending it ends the pool.
expose({ ...createRemoteEngine((file) => createConductor(pageEnvironment(), { file, loadCode })), speak, ...liveness })
