import { worker } from 'workerpool'
import { createLabour } from '../../../src/engine/threads/labour.ts'

worker({ work: createLabour().work })
