// Carries many tiny inputs through two stages and looks at the memory of the process. Started by runnerMemory.bench.ts.
import { Worker } from 'node:worker_threads'

process.once('message', async ({ inputs, first, files }) => {
  const { createPipeline } = await import(files.runner)
  const pipeline = createPipeline({
    worker: () => new Worker(new URL('memoryThread.mjs', import.meta.url), { workerData: files }),
    stages: ['add', 'double'],
    workers: 2,
  })
  function* source() {
    for (let k = 0; k < inputs; k++) yield k
  }
  const began = performance.now()
  const found = { inputs, seconds: 0, after: 0, most: 0, last: 0 }
  let given = 0
  for await (const result of pipeline.run(source())) {
    if (result !== 2 * (given + 1)) throw new Error(`${result} came out at place ${given}`)
    given++
    if (given === first) found.after = found.most = megabytes()
    if (given > first && given % 10_000 === 0) found.most = Math.max(found.most, megabytes())
    if (given % 1_000_000 === 0)
      process.send({
        at: `${given} inputs, ${Math.round(megabytes())} MB, ${Math.round((performance.now() - began) / 1000)} s`,
      })
  }
  if (given !== inputs) throw new Error(`${given} results of ${inputs}`)
  // Before its threads end: they count too.
  found.last = megabytes()
  await pipeline.close()
  process.send({ ...found, seconds: (performance.now() - began) / 1000 })
  process.disconnect()
})

const megabytes = () => process.memoryUsage.rss() / 2 ** 20
