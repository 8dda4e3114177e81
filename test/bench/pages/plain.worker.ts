import type { BatchOrder } from '../../../src/engine/conductor/batchPort.ts'
import { createWorkerApi } from '../../../src/engine/threads/workerApi.ts'

// The simplest worker without a library.
const workerApi = createWorkerApi()
self.onmessage = async ({ data }: MessageEvent<BatchOrder>) => self.postMessage(await workerApi.work(data))
