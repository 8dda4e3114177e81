import { expose } from 'comlink'
import { liveness } from './engine/threads/liveness.ts'
import { createWorkerApi } from './engine/threads/workerApi.ts'
import { runInSequence } from './engine/work/sequence.ts'
import { speak } from './language/translate.ts'

// A thread of the pool: works for the conductor; or, alone, does everything one after the other for the page.
expose({ ...createWorkerApi(), runInSequence, speak, ...liveness })
