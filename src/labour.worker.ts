import { expose } from 'comlink'
import { living } from './engine/threads/liveness.ts'
import { createLabour } from './engine/threads/workerApi.ts'
import { runInSequence } from './engine/work/sequence.ts'
import { speak } from './language/say.ts'

// A thread of the pool: works for the conductor; or, alone, does everything one after the other for the page.
expose({ ...createLabour(), runInSequence, speak, ...living })
