// What the threads of our runner load.
import { workerData } from 'node:worker_threads'
import { works } from './work.mjs'

const { serve, transfer } = await import(workerData.worker)

const functions = {}
for (const { name, run, setUp } of works[workerData.name].stages) {
  functions[name] = (value, context) => {
    const result = run(value, context.setUp)
    return result instanceof Uint8Array ? transfer(result, [result.buffer]) : result
  }
  if (setUp !== undefined) functions[`${name}SetUp`] = setUp
}
serve(functions)
