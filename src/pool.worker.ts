import { expose } from 'comlink'
import { createWorkerApi } from './engine/threads/workerApi.ts'

// A thread of the pool: it works for the conductor.
expose(createWorkerApi())
