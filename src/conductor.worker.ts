import { expose } from 'comlink'
import { createConductor } from './engine/conductor/conductor.ts'
import { living } from './engine/threads/liveness.ts'
import { trustOwnScripts } from './engine/threads/ownScripts.ts'
import { countLines } from './engine/work/textLines.ts'
import { speak } from './language/say.ts'
import { createRemoteEngine } from './runs/remote/remoteEngine.ts'

trustOwnScripts()
// The thread that owns scheduler and queues, and starts the pool: ending it ends all.
expose({ ...createRemoteEngine((file) => createConductor({ file })), countLines, speak, ...living })
