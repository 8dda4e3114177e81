import { createWorkerApi, serveConductor } from './engine/threads/workerApi.ts'

// A thread of the pool: it works for the conductor.
serveConductor(createWorkerApi())
