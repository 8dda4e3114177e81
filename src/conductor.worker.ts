import { expose } from 'comlink'
import { createConductor } from './engine/threads/conductor.ts'
import { living } from './engine/threads/life.ts'
import { countLines } from './engine/threads/lines.ts'
import { trustOwnScripts } from './engine/threads/ownScripts.ts'
import { speak } from './language/say.ts'
import { createRemoteEngine } from './runs/remoteEngine.ts'

trustOwnScripts()
// The thread that owns scheduler and queues, and starts the pool: ending it ends all.
expose({ ...createRemoteEngine((file) => createConductor({ file })), countLines, speak, ...living })
