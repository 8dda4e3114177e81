// Builds what `npm pack` puts into the package, into `packed`: the page, the entries for programs, the command, and their types.
// It says what it does on the standard error, since `npm pack --json` has the output.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { build } from 'vite'
import { bundle, cache, filesUnder, importBundled, root } from './bundle.mjs'
import { commandOf, runToEnd } from './runToEnd.mjs'

const packed = join(root, 'packed')

/** What a program may import, by the name of its file in `packed`. Each is named once more in `exports` of package.json. */
const entries = {
  index: 'src/runner.ts',
  worker: 'src/runnerWorker.ts',
  record: 'src/recorder.ts',
  core: 'src/core.ts',
  embed: 'src/embedElement.ts',
}

rmSync(packed, { recursive: true, force: true })
mkdirSync(packed, { recursive: true })
await buildPage(join(packed, 'page'))
await buildEntries()
await buildCommand()
await writeTypes(join(packed, 'types'))
const { writeChecksums } = await importBundled(join(root, 'scripts/checksums.ts'), [join(root, 'scripts')])
writeChecksums(packed)
console.error(`packed: ${filesUnder(packed).length} files`)

/** The tests have built the page. Its source maps stay here: they are larger than all the rest. */
async function buildPage(outDir) {
  const built = process.env.APPORTION_SITE === 'built'
  if (built) cpSync(join(cache, 'site'), outDir, { recursive: true })
  else await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true, sourcemap: false } })
  for (const file of filesUnder(outDir)) if (/\.map$|sameEverywhere\.js$|checksums\.txt$/.test(file)) rmSync(file)
}

/** For Node and bundlers alike: no module of Node, no address of another file, so that every bundler understands it. */
async function buildEntries() {
  const files = Object.entries(entries)
  const lib = { entry: Object.fromEntries(files.map(([name, file]) => [name, join(root, file)])), formats: ['es'] }
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    plugins: [wasmInside()],
    build: {
      outDir: packed,
      emptyOutDir: false,
      target: 'es2022',
      minify: false,
      lib,
      rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' } },
    },
  })
}

async function buildCommand() {
  const output = {
    chunkFileNames: 'command/[name]-[hash].js',
    banner: (chunk) => (chunk.name === 'command' ? '#!/usr/bin/env node' : ''),
  }
  await bundle({ command: join(root, 'src/command.ts') }, packed, '[name].js', [wasmInside()], output, true)
}

/** Writes the declarations that the entries reach. */
async function writeTypes(outDir) {
  const config = join(cache, 'package.tsconfig.json')
  const aside = join(cache, 'types')
  rmSync(aside, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(root, 'src'),
    outDir: aside,
    types: ['@types/node', 'vite/client'].map((name) => join(root, 'node_modules', name)),
  }
  const files = Object.values(entries).map((file) => join(root, file))
  writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: [], files }))
  const { status, output } = await runToEnd('types-of-package', [commandOf('typescript', 'tsc'), '-p', config], {}, 5)
  if (status !== 0) throw new Error(`the types of the package cannot be written:\n${output}`)
  const wanted = Object.values(entries).map((file) => relative('src', file).replace(/\.ts$/, '.d.ts'))
  for (const file of wanted) {
    const text = readFileSync(join(aside, file), 'utf8')
    for (const [, from] of text.matchAll(/(?:from |import\()['"](\.[^'"]+)\.ts['"]/g)) {
      const target = join(dirname(file), `${from}.d.ts`)
      if (!wanted.includes(target)) wanted.push(target)
    }
    mkdirSync(dirname(join(outDir, file)), { recursive: true })
    // Programs that name an older library of the language have to know these symbols all the same.
    const head = /\[Symbol\.(asyncD|d)ispose\]/.test(text) ? '/// <reference lib="esnext.disposable" />\n' : ''
    writeFileSync(join(outDir, file), head + text.replace(/((?:from |import\()['"]\.[^'"]+)\.ts(['"])/g, '$1.js$2'))
  }
}

/** The engine of the sandbox, which looks for its WebAssembly beside itself, gets it as a text: no bundler has to copy a file. */
function wasmInside() {
  const bytes = '\0apportion-wasm'
  return {
    name: 'apportion-wasm-inside',
    resolveId: (id) => (id === bytes ? id : null),
    load(id) {
      if (id !== bytes) return null
      const wasm = readFileSync(createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))
      return `export const wasm = () => Uint8Array.from(atob('${wasm.toString('base64')}'), (letter) => letter.charCodeAt(0))`
    },
    transform(code, id) {
      if (!/quickjs-wasmfile-release-sync.*emscripten-module[.\w]*mjs/.test(id)) return null
      const given = code
        .replace(/(\w+)\.wasmBinary&&\((\w+)=\1\.wasmBinary\)/, '$2=$1.wasmBinary??wasm()')
        .replace(/\(new URL\("emscripten-module\.wasm",import\.meta\.url\)\)\.href/, '""')
      if (!given.includes('??wasm()') || given.includes('new URL("emscripten'))
        throw new Error(`${id}: its WebAssembly is loaded in another way than before`)
      return { code: `import { wasm } from '${bytes}'\n${given}`, map: null }
    },
  }
}
