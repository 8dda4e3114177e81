// What the threads of workerpool load.
import workerpool from 'workerpool'
import { buffersOf, carry } from './work.mjs'

workerpool.worker({
  carry({ name, values, from, to, run }) {
    const results = carry(name, values, from, to, run)
    return new workerpool.Transfer(results, buffersOf(results))
  },
})
