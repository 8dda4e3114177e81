import { expose } from 'comlink'
import { createLabour } from './engine/threads/labour.ts'
import { living } from './engine/threads/life.ts'
import { runInSequence } from './engine/threads/sequence.ts'
import { speak } from './language/say.ts'

// A thread of the pool: works for the conductor; or, alone, does everything one after the other for the page.
expose({ ...createLabour(), runInSequence, speak, ...living })
