// Builds two packages that `npm pack` and `npm pack ./packed-page` pack: into `packed` the entries for programs, the command and their types,
// into `packed-page` the page. It says what it does on the standard error, since `npm pack --json` has the output.
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { build, runnerImport } from 'vite'
import { bundle, cache, filesUnder, root } from './bundle.mjs'
import { commandOf, runToEnd } from './runToEnd.mjs'

const packed = join(root, 'packed')
const packedPage = join(root, 'packed-page')

/** What a program may import, by the name of its file in `packed`. Each is named once more in `exports` of package.json. */
const entries = {
  index: 'src/runner.ts',
  worker: 'src/runnerWorker.ts',
  record: 'src/recorder.ts',
  core: 'src/core.ts',
  embed: 'src/embedElement.ts',
}

const { writeChecksums } = await imported('scripts/checksums.ts')
const { licencesOf } = await imported('scripts/licences.ts')
for (const folder of [packed, packedPage]) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}
await buildPage(join(packedPage, 'page'))
describePage(packedPage)
const packages = await buildPrograms()
writeFileSync(join(packed, 'licences.txt'), licencesOf(packages))
for (const name of ['scenario', 'trace']) {
  const schema = JSON.parse(readFileSync(join(root, `public/${name}.schema.json`), 'utf8'))
  writeFileSync(join(packed, `${name}.schema.json`), JSON.stringify(schema))
}
await writeTypes(join(packed, 'types'))
writeChecksums(packed)
console.error(`packed: ${filesUnder(packed).length} files, packed-page: ${filesUnder(packedPage).length} files`)

async function imported(file) {
  return (await runnerImport(join(root, file))).module
}

/** The tests have built the page. Its source maps stay here: they are larger than all the rest. */
async function buildPage(outDir) {
  const built = process.env.APPORTION_SITE === 'built'
  if (built) cpSync(join(cache, 'site'), outDir, { recursive: true })
  else await build({ root, logLevel: 'warn', build: { outDir, emptyOutDir: true, sourcemap: false } })
  for (const file of filesUnder(outDir)) if (/\.map$|sameEverywhere\.js$/.test(file)) rmSync(file)
  writeChecksums(outDir)
}

/** Writes what makes a package of the page, with the version of the other one. */
function describePage(folder) {
  const { version, license, type, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const description = {
    name: 'apportion-page',
    version,
    description: 'The built page of the package apportion, for its command and for a host of your own.',
    license,
    type,
    exports: { './package.json': './package.json', './*': './page/*' },
    files: ['page'],
    engines,
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`)
  writeFileSync(
    join(folder, 'README.md'),
    `# apportion-page

The page of [apportion](https://www.npmjs.com/package/apportion). Install the same version of both. Then \`npx apportion FILE\` serves the
page on this machine. For a host of your own, serve the files of \`node_modules/apportion-page/page\`.
`,
  )
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
}

/** Builds the entries and the command together, so that no code is there twice. Returns the folders of the packages that became part of them. */
async function buildPrograms() {
  const input = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(root, file)]))
  const all = { ...input, command: join(root, 'src/command.ts') }
  const { plugin, isShared, packages } = watchModules(input)
  const output = {
    chunkFileNames: 'chunks/[name]-[hash].js',
    banner: ({ isEntry, name }) => (isEntry && name === 'command' ? '#!/usr/bin/env node' : ''),
    codeSplitting: { groups: [{ name: 'shared', test: isShared }] },
  }
  await bundle(all, packed, '[name].js', [forEveryBundler(), wasmInside(), plugin], output, true)
  return packages
}

/** Finds the modules that both `index` and `core` load, so that a program fetches them in one file, and the packages whose code is built in. */
function watchModules({ index, core, worker }) {
  let shared = new Set()
  const packages = new Set()
  const plugin = {
    name: 'apportion-modules',
    buildEnd() {
      const reached = (entry) => {
        const ids = new Set([entry])
        for (const id of ids) for (const next of this.getModuleInfo(id)?.importedIds ?? []) ids.add(next)
        return ids
      }
      const [inCore, inWorker] = [reached(core), reached(worker)]
      shared = new Set([...reached(index)].filter((id) => inCore.has(id) && !inWorker.has(id)))
    },
    generateBundle(_, files) {
      for (const { modules = {} } of Object.values(files))
        for (const id of Object.keys(modules)) {
          const [folder] = /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(relative(root, id)) ?? []
          if (folder !== undefined) packages.add(folder)
        }
    },
  }
  return { plugin, packages, isShared: (id) => shared.has(id) }
}

/** The entries use no module of Node and no address of another file, so that Node and every bundler understand them. */
function forEveryBundler() {
  const alias = [
    { find: /^fflate$/, replacement: 'fflate/browser' },
    {
      find: /^(@jitl\/quickjs-wasmfile-release-sync)\/emscripten-module$/,
      replacement: join(root, 'node_modules/$1/dist/emscripten-module.browser.mjs'),
    },
  ]
  return { name: 'apportion-for-every-bundler', config: () => ({ resolve: { alias }, build: { target: 'es2022' } }) }
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
      const text = deflateRawSync(wasm, { level: 9 }).toString('base64')
      return `import { inflateSync } from 'fflate'
export const wasm = () => inflateSync(Uint8Array.from(atob('${text}'), (letter) => letter.charCodeAt(0)))`
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
