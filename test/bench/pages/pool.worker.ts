import { worker } from 'workerpool'
import { createWorkerApi } from '../../../src/engine/threads/workerApi.ts'

worker({ work: createWorkerApi().work })
