import { worker } from 'workerpool'
import { createLabour } from '../../../src/engine/threads/workerApi.ts'

worker({ work: createLabour().work })
