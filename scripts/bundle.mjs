// Builds an entry in TypeScript into one module that Node can import. Prints nothing; builds again only after a change of its sources.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
export const cache = join(root, 'node_modules/.cache/apportion')

/** The packages that the pure folders use. They become part of a bundle, because reading their many files takes long. */
const inlined = [/^d3-/, 'fflate', 'valibot']

/**
 * Builds `entry` (an absolute path) and imports it. `folders` are all folders that the build may read, below the root.
 * `prepare` is called before the build. Other packages stay outside and are imported from node_modules.
 */
export async function importBundled(entry, folders = [join(root, 'src')], prepare = () => {}) {
  const name = basename(entry).replace(/\.ts$/, '')
  const locks = ['package-lock.json', 'node_modules/.package-lock.json'].map((file) => join(root, file))
  const stamp = fingerprint([fileURLToPath(import.meta.url), entry, ...locks, ...folders.flatMap(filesUnder)])
  const home = join(cache, 'bundles', name)
  const outDir = join(home, stamp)
  const file = join(outDir, `${name}.mjs`)
  if (!existsSync(file)) {
    prepare()
    // Another command may just have built the same sources; its build stays.
    for (const old of existsSync(home) ? readdirSync(home) : [])
      if (old !== stamp) rmSync(join(home, old), { recursive: true, force: true })
    // Built in another folder and then moved, because two commands may build at once.
    const aside = `${home}-${process.pid}`
    await bundle(entry, aside, `${name}.mjs`)
    settle(aside, home, outDir)
  }
  return import(/* @vite-ignore */ pathToFileURL(file).href)
}

function settle(aside, home, outDir) {
  mkdirSync(home, { recursive: true })
  try {
    renameSync(aside, outDir)
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    if (!existsSync(outDir)) throw error
  }
}

/** Builds `entry` (or several, by name, into '[name].js') into a file of that name, by Vite and these plugins. `output` says more about its form; `noExternal`, which packages become part of it. */
export async function bundle(entry, outDir, file, plugins = [], output = {}, noExternal = inlined) {
  const { build } = await import('vite')
  await build({
    root,
    configFile: false,
    plugins,
    publicDir: false,
    logLevel: 'error',
    // Also under NODE_ENV=test: the build of the page may take from the cache what a test has built.
    oxc: { jsx: { runtime: 'automatic', development: false } },
    ssr: { noExternal },
    build: {
      ssr: typeof entry === 'string' ? entry : true,
      outDir,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        ...(typeof entry === 'string' ? {} : { input: entry }),
        output: { entryFileNames: file, ...output },
      },
    },
  })
}

/** A hash of the names of the files, their sizes and times. Reading all contents would take longer than most runs. */
export function fingerprint(files) {
  const hash = createHash('sha256').update(process.version)
  for (const file of [...new Set(files)].sort()) {
    const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {}
    hash.update(`\0${relative(root, file)} ${size} ${mtimeMs}`)
  }
  return hash.digest('hex').slice(0, 16)
}

export function filesUnder(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath ?? item.path, item.name))
}
