import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { repository } from './sources.ts'

const files = [
  'index.html',
  'stage.html',
  'embed.js',
  'sw.js',
  'assets/simulation-1.js',
  'assets/conductor-1.js',
  'assets/page-1.js',
]

/** The headers of public/_headers for a file: later sections add to earlier ones, or remove headers. */
function wanted(file: string): Record<string, string> {
  const sections = readFileSync(`${repository}public/_headers`, 'utf8').split(/\n(?=\/)/)
  const headers: Record<string, string> = {}
  for (const [path, ...lines] of sections.slice(1).map((section) => section.trim().split('\n'))) {
    if (!(path.endsWith('*') ? `/${file}`.startsWith(path.slice(0, -1)) : `/${file}` === path)) continue
    for (const line of lines.map((each) => each.trim())) {
      const [name, value] = line.split(/: (.*)/)
      if (line.startsWith('! ')) delete headers[line.slice(2).toLowerCase()]
      else headers[name.toLowerCase()] = value
    }
  }
  return headers
}

/** The configuration in docs/hosting.md that people copy, for a folder and a port of this machine. */
function block(language: string, folder: string, port: number): string {
  const text = readFileSync(`${repository}docs/hosting.md`, 'utf8').split(`\`\`\`${language}\n`)[1].split('```')[0]
  return text
    .replaceAll('/srv/apportion', `${folder}/site`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace(/^apportion\.example \{/m, `http://127.0.0.1:${port} {`)
}

let folder = ''
let server: ChildProcess | null = null
afterEach(() => {
  server?.kill()
  rmSync(folder, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const held = createServer()
  await new Promise<void>((resolve) => held.listen(0, '127.0.0.1', resolve))
  const { port } = held.address() as { port: number }
  await new Promise((resolve) => held.close(resolve))
  return port
}

/** Starts a server, and returns its first answer. */
async function answered(address: string, headers: Record<string, string> = {}): Promise<Response> {
  for (;;) {
    const answer = await fetch(address, { headers }).catch(() => null)
    if (answer !== null) return answer
    if (server?.exitCode !== null) throw new Error('the server has ended')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const hosts = [
  {
    name: 'nginx',
    command: 'nginx',
    write: (text: string) => `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fast; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
${text} }`,
    start: (file: string) => ['-c', file],
  },
  {
    name: 'caddy',
    command: 'caddy',
    write: (text: string) => `{\n  admin off\n}\n${text}`,
    start: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
] as const

describe.each(hosts)('the block for $name in docs/hosting.md', ({ name, command, write, start }) => {
  test('sends the headers of public/_headers with every file, even one that has not changed', async ({ skip }) => {
    skip(spawnSync(command, [name === 'nginx' ? '-v' : 'version']).status !== 0, `${name} is not installed`)
    folder = mkdtempSync(join(tmpdir(), `apportion-${name}-`))
    // If root starts nginx, it reads files as nobody.
    chmodSync(folder, 0o755)
    for (const file of files) {
      mkdirSync(join(folder, 'site', file, '..'), { recursive: true })
      writeFileSync(join(folder, 'site', file), '// nothing')
    }
    const port = await freePort()
    writeFileSync(join(folder, 'conf'), write(block(name, folder, port)))
    server = spawn(command, start(join(folder, 'conf')), { stdio: 'ignore', env: { ...process.env, HOME: folder } })
    for (const file of files) {
      const address = `http://127.0.0.1:${port}/${file === 'index.html' ? '' : file}`
      const first = await answered(address)
      const again = await answered(address, { 'If-None-Match': first.headers.get('etag') ?? '' })
      expect([first.status, again.status], file).toEqual([200, 304])
      for (const { headers } of [first, again]) expect(Object.fromEntries(headers), file).toMatchObject(wanted(file))
      if (!('cache-control' in wanted(file))) expect(first.headers.get('cache-control'), file).toBeNull()
    }
  })
})
