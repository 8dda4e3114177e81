const imports = `import { Worker } from 'node:worker_threads'
import { createPipeline, type Pipeline, type PipelineError, type PipelineOptions, type WorkerOf } from 'apportion'
import { serve, type StageContext } from 'apportion/worker'
const functions = serve({
  parse: (line: string): { n: number } => JSON.parse(line),
  async twice({ n }: { n: number }, { signal, tries }) {
    if (signal.aborted) throw new Error(String(tries))
    return 2 * n
  },
  text: (n: number) => String(n),
  load: () => new Map<string, number>(),
  priced: (n: number, { setUp }: StageContext<Map<string, number>>) => (setUp.get('a') ?? 0) + n,
  any: (value) => value,
})
const worker = (): WorkerOf<typeof functions> => new Worker('./stages.js')
const plain = () => new Worker('./stages.js')
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Equal<A, B>) => {}
const pipeline = createPipeline({ worker: plain, stages: ['parse', 'text'], onError: 'skip' })
`

/** Programs by what they show. Each line that ends with `// wrong` must not compile, all others must. */
export const programs: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'events have their details': `
pipeline.addEventListener('skip', ({ detail }) => console.log(detail.message, detail.stage, detail.job + 1, detail.cause))
pipeline.addEventListener('threadEnd', ({ detail: { worker, reason } }) => console.log(worker + 1, reason.length), { once: true })
pipeline.addEventListener('recordFull', { handleEvent: ({ detail, type }) => console.log(detail === null, type) })
const heard = (event: Event) => console.log(event.type)
pipeline.addEventListener('skip', heard)
pipeline.removeEventListener('skip', heard)
pipeline.addEventListener('skip', (event: CustomEvent<PipelineError>) => console.log(event.detail.stage))
pipeline.addEventListener('skip', (event) => console.log((event as CustomEvent<Error>).detail.message))
pipeline.addEventListener('skip', async ({ detail }) => { const error: PipelineError = detail; throw error })
const target: EventTarget = pipeline
target.dispatchEvent(new Event('skip'))`,
    'an event is misspelt': `pipeline.addEventListener('skp', () => {}) // wrong`,
    'an event to remove is misspelt': `pipeline.removeEventListener('threadend', () => {}) // wrong`,
    'a field of skip is misspelt': `pipeline.addEventListener('skip', ({ detail }) => console.log(detail.mesage)) // wrong`,
    'a field of threadEnd is misspelt': `pipeline.addEventListener('threadEnd', ({ detail }) => console.log(detail.reasons)) // wrong`,
    'a field is misspelt in a listener that is an object': `
pipeline.addEventListener('skip', {
  handleEvent({ detail }) {
    console.log(detail.input) // wrong
  },
})`,
    'an option of a stage is misspelt': `
createPipeline({
  worker: plain,
  stages: [
    { id: 'parse', tries: 3 },
    { id: 'text', retries: 3 }, // wrong
  ],
})`,
    'an option of a typed stage is misspelt': `
createPipeline({
  worker,
  stages: [
    'parse',
    { id: 'twice', timeOut: 3 }, // wrong
  ],
})`,
    'an option is misspelt': `createPipeline({ worker: plain, stages: ['parse'], onEror: 'skip' }) // wrong`,
    'an option of the batch is misspelt': `createPipeline({ worker, stages: ['parse'], batch: { sizes: 3 } }) // wrong`,
    'an option of run is misspelt': `pipeline.run([1], { singal: new AbortController().signal }) // wrong`,
    'the worker is a path': `createPipeline({ worker: './stages.js', stages: ['parse'] }) // wrong`,
    'the worker is a Worker': `createPipeline({ worker: plain(), stages: ['parse'] }) // wrong`,
    'there are no options': `createPipeline() // wrong`,
    'there are no stages': `createPipeline({ worker }) // wrong`,
    'inputs are a text': `pipeline.run('abc') // wrong`,
    'inputs are a number': `pipeline.run(5) // wrong`,
    'inputs are a promise': `pipeline.run(Promise.resolve([1])) // wrong`,
    'a policy is unknown': `createPipeline({ worker, stages: ['parse'], policy: 'leastScor' }) // wrong`,
    'a policy of seats has none': `createPipeline({ worker, stages: ['parse'], policy: { kind: 'fixed' } }) // wrong`,
    'policies in every form': `
for (const policy of ['leastScore', 'pid', { kind: 'pid', kp: 2 }, { kind: 'fixed', allocation: { parse: 2 } }, { kind: 'power', p: 3, lend: false }] as const)
  createPipeline({ worker, stages: ['parse'], policy })
createPipeline({ worker, stages: ['parse'], policy: ({ workers, stages }) => stages.map(({ waiting }) => Math.min(workers, waiting)) })`,
    'types follow from the functions': `
const texts = createPipeline({ worker, stages: ['parse', { id: 'double', call: 'twice', setUp: 'load', tries: 2 }, { id: 'text' }] })
same<ReturnType<typeof texts.push>, Promise<string>>(true)
same<Parameters<typeof texts.push>, [input: string]>(true)
for await (const text of texts.run(new Set(['1']))) same<typeof text, string>(true)
const numbers = createPipeline({ worker, stages: ['twice'], workers: 3, order: 'any' })
same<ReturnType<typeof numbers.push>, Promise<number>>(true)
const { readable, writable } = numbers.stream()
same<typeof readable, ReadableStream<number>>(true)
same<typeof writable, WritableStream<{ n: number }>>(true)
createPipeline({ worker, stages: ['parse', 'any', 'text'] })`,
    'untyped pipelines and graphs are as they were': `
const explicit = createPipeline<string, number>({ worker: plain, stages: ['a', { id: 'b', call: 'c' }] })
same<ReturnType<typeof explicit.push>, Promise<number>>(true)
same<ReturnType<typeof pipeline.push>, Promise<unknown>>(true)
const graph = createPipeline({ worker, stages: ['parse', 'text'], links: [['source', 'parse'], ['source', 'text'], ['parse', 'sink'], ['text', 'sink']] })
same<ReturnType<typeof graph.push>, Promise<unknown>>(true)
const annotated: Pipeline<string, number> = createPipeline({ worker: plain, stages: ['a'] })
same<ReturnType<typeof annotated.push>, Promise<number>>(true)
export const made = <I, O>(): Pipeline<I, O> => createPipeline<I, O>({ worker: plain, stages: ['a'] })
const options: PipelineOptions = { worker: plain, stages: ['a'] }
createPipeline(options)
const names: string[] = ['a', 'b']
createPipeline({ worker: plain, stages: names })
createPipeline({ worker: plain, stages: names.map((id) => ({ id, tries: 2 })) })
createPipeline({ worker: plain, stages: ['a', ...names, { id: 'z' }] })
createPipeline({ worker: plain, stages: ['a', ...(names.length > 2 ? (['b'] as const) : [])] })
createPipeline({ worker, stages: ['parse', ...(names.length > 2 ? ['twice' as const] : [])] })`,
    'a function is unknown': `createPipeline({ worker, stages: ['parse', 'twise'] }) // wrong`,
    'a function by the id of a stage is unknown': `createPipeline({ worker, stages: ['parse', { id: 'twise', tries: 2 }] }) // wrong`,
    'a function to call is unknown': `
createPipeline({
  worker,
  stages: [
    'parse',
    { id: 'twice', call: 'double' }, // wrong
    'text',
  ],
})`,
    'a function of a set-up is unknown': `createPipeline({ worker, stages: ['parse', { id: 'twice', setUp: 'laod' }] }) // wrong`,
    'a function is unknown in a graph': `
createPipeline({
  worker,
  stages: ['parse', 'txt'], // wrong
  links: [['source', 'parse'], ['parse', 'txt'], ['txt', 'sink']],
})`,
    'a stage does not take what the one before returns': `
createPipeline({
  worker,
  stages: [
    'parse',
    'text', // wrong
  ],
})`,
    'a stage does not take what a promise of the one before resolves with': `
createPipeline({
  worker,
  stages: [
    'parse',
    { id: 'double', call: 'twice' },
    { id: 'again', call: 'twice' }, // wrong
    'any',
  ],
})`,
    'an input has the wrong type': `createPipeline({ worker, stages: ['parse', 'twice'] }).run([1]) // wrong`,
    'a pushed input has the wrong type': `void createPipeline({ worker, stages: ['twice', 'text'] }).push('1') // wrong`,
    'a result has the wrong type': `
for await (const text of createPipeline({ worker, stages: ['parse', 'twice', 'text'] }).run(['1']))
  console.log(text * 2) // wrong`,
  }).map(([title, text]) => [title, `${imports}${text}\n`]),
)
