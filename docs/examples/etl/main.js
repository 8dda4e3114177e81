// Reads orders line by line, checks them, adds the tax, and writes a compressed table in the order of the lines:
//   npm start                        makes orders.jsonl of 100,000 lines first
//   npm start -- FILE.jsonl
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline as write } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { createPipeline } from 'apportion'

const [file = 'orders.jsonl', many = '100000'] = process.argv.slice(2)
if (!existsSync(file)) await write(Readable.from(madeUp(Number(many))), createWriteStream(file))

const pipeline = createPipeline({
  title: 'Orders',
  worker: () => new Worker(new URL('./stages.js', import.meta.url)),
  stages: ['parse', { id: 'enrich', setUp: 'rates', tries: 3 }, 'total', 'compress'],
  // Chunks of 500 lines: 64 of them are inside at most, whatever the length of the file.
  highWaterMark: 64,
  record: true,
})

const sums = { rows: 0, rejected: 0, cents: 0 }
await write(
  Readable.from(bytesOf(pipeline.run(chunks(createInterface({ input: createReadStream(file) }), 500)))),
  createWriteStream('orders.csv.gz'),
)
console.log(`${sums.rows} orders, ${sums.rejected} lines rejected, ${(sums.cents / 100).toFixed(2)} EUR with tax`)

const { stages, advice } = pipeline.stats()
for (const { id, done, service, wait } of stages)
  console.log(`${id.padEnd(8)} ${done} chunks, ${service.mean.toFixed(1)} ms each, waited ${wait.mean.toFixed(1)} ms`)
if (advice !== null) console.log(advice)
await writeFile('run.json', Buffer.from(await (await pipeline.trace()).arrayBuffer()))
console.log('orders.csv.gz is written. The run: npx apportion run.json')

async function* bytesOf(results) {
  for await (const { bytes, rows, rejected, cents } of results) {
    sums.rows += rows
    sums.rejected += rejected
    sums.cents += cents
    yield bytes
  }
}

async function* chunks(lines, size) {
  const chunk = []
  for await (const line of lines) if (chunk.push(line) === size) yield chunk.splice(0)
  if (chunk.length > 0) yield chunk
}

/** Orders of six countries; every thousandth line is broken. */
function* madeUp(lines) {
  const countries = ['DE', 'FR', 'IT', 'ES', 'PL', 'NL']
  for (let id = 0; id < lines; id++)
    yield id % 1000 === 999
      ? 'not an order\n'
      : `${JSON.stringify({ id, country: countries[id % 6], cents: (id * 7919) % 100_000 })}\n`
}
