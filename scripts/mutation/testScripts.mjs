// Turns each test file of a folder into one script with everything that it imports.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundle, filesUnder, root } from '../bundle.mjs'

/**
 * Builds the tests of a folder into `home`. Returns for each its name, its script and a stamp: a hash of all sources that it is made of, as
 * they were before mutants were planted.
 */
export async function testScripts(folder, sources, home) {
  const entries = filesUnder(join(root, 'test', folder)).filter((file) => /\.test\.ts$/.test(file) && !/\.browser\.test\.ts$/.test(file))
  const scripts = []
  for (const entry of entries.sort()) {
    const read = new Set()
    const name = relative(root, entry).split(sep).join('/')
    const script = `${name.replaceAll('/', '-').replace(/\.ts$/, '')}.cjs`
    await bundle(entry, home, script, [planting(sources, read)], { format: 'cjs', codeSplitting: false })
    scripts.push({ name, script: join(home, script), stamp: stampOf(read) })
  }
  return scripts
}

function planting(sources, read) {
  return {
    name: 'planting',
    enforce: 'pre',
    load(id) {
      const file = id.split('?')[0]
      if (file.startsWith(root) && !file.includes('node_modules')) read.add(file)
      return sources.get(file)
    },
    transform(code, id) {
      if (id.startsWith(root) && code.includes('import.meta.url')) return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
    },
  }
}

function stampOf(files) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const file of [...files].sort()) hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}
