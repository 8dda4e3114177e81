import type { BatchOrder } from '../../../src/engine/conductor/batchPort.ts'
import { createWorkerApi } from '../../../src/engine/threads/workerApi.ts'

// What somebody would write who needed no library.
const workerApi = createWorkerApi()
self.onmessage = async ({ data }: MessageEvent<BatchOrder>) => self.postMessage(await workerApi.work(data))
